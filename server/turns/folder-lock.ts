import { processWide } from "@/server/platform/process-wide";

/** The last holder of each folder's lock, in the order in which they asked. */
const tails = () => processWide("folderLocks", () => new Map<string, Promise<void>>());

/**
 * Runs work that may not run beside other such work in the same folder (writes, shell commands). Who asks first goes
 * first; the lock is let go whatever happens.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = tails().get(folder) ?? Promise.resolve();
  let release = () => {};
  const mine = new Promise<void>((resolve) => {
    release = resolve;
  });
  const tail = before.then(() => mine);
  tails().set(folder, tail);
  await before;
  try {
    return await work();
  } finally {
    release();
    if (tails().get(folder) === tail) tails().delete(folder);
  }
}
