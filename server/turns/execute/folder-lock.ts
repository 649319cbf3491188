import { setTimeout as pause } from "node:timers/promises";
import { processWide } from "@/server/platform/process-wide";
import { tryLock } from "@/server/replicas/presence";

/** The end of each folder's queue in this process: a promise that resolves when the last caller has released the lock. */
export const folderTails = () => processWide("folderLocks", () => new Map<string, Promise<void>>());

/** Interval at which a replica retries a lock that another replica holds. */
const lookAgainMs = 50;

type Work<T> = {
  /** Called when the lock is not free at once. */
  beforeWaiting: () => Promise<void>;
  signal: AbortSignal;
  run: () => Promise<T>;
};

/**
 * Runs work that needs its folder alone (writes, shell commands), on any replica. Callers in one process get the lock
 * in the order in which they asked. The lock is released when the work ends or fails, and when the process dies.
 * @throws the signal's reason when it is aborted while waiting.
 */
export async function withFolderLock<T>(folder: string, { beforeWaiting, signal, run }: Work<T>): Promise<T> {
  const before = folderTails().get(folder);
  const { promise: mine, resolve: release } = Promise.withResolvers<void>();
  const tail = (before ?? Promise.resolve()).then(() => mine);
  folderTails().set(folder, tail);
  let unlock: (() => void) | null = null;
  try {
    if (before) {
      await beforeWaiting();
      await turnOf(before, signal);
    }
    signal.throwIfAborted();
    unlock = await tryLock(folderKey(folder));
    if (!unlock) await beforeWaiting();
    while (!unlock) {
      // The pause rejects with an error of its own; callers recognise a cancellation by the signal's reason.
      await pause(lookAgainMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      unlock = await tryLock(folderKey(folder));
    }
    return await run();
  } finally {
    unlock?.();
    release();
    // The entry goes only when all earlier callers have released: a caller that gave up early must not let later callers overtake them.
    void tail.then(() => {
      if (folderTails().get(folder) === tail) folderTails().delete(folder);
    });
  }
}

/** Waits for the earlier callers. @throws the signal's reason when it is aborted first. */
async function turnOf(before: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener("abort", giveUp);
  try {
    await Promise.race([before, aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

const folderKey = (folder: string) => `folder ${folder}`;
