import { setTimeout as pause } from "node:timers/promises";
import { processWide } from "@/server/platform/process-wide";
import { tryLock } from "@/server/replicas/presence";

/** The last holder of each folder's lock in this process, in the order in which they asked. */
const tails = () => processWide("folderLocks", () => new Map<string, Promise<void>>());

/** How often a replica looks whether another one has let a folder go. */
const lookAgainMs = 50;

type Work<T> = {
  /** Called when the lock is not to be had at once. */
  beforeWaiting: () => Promise<void>;
  signal: AbortSignal;
  run: () => Promise<T>;
};

/**
 * Runs work that may not run beside other such work in the same folder (writes, shell commands), on any replica. Inside
 * a process who asks first goes first. The lock is let go whatever happens, and with the process.
 * @throws the signal's reason when it is aborted while waiting.
 */
export async function withFolderLock<T>(folder: string, { beforeWaiting, signal, run }: Work<T>): Promise<T> {
  const before = tails().get(folder);
  const { promise: mine, resolve: release } = Promise.withResolvers<void>();
  const tail = (before ?? Promise.resolve()).then(() => mine);
  tails().set(folder, tail);
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
      await pause(lookAgainMs, undefined, { signal });
      unlock = await tryLock(folderKey(folder));
    }
    return await run();
  } finally {
    unlock?.();
    release();
    // Who gives up while others hold the lock leaves the line as it is behind them.
    void tail.then(() => {
      if (tails().get(folder) === tail) tails().delete(folder);
    });
  }
}

/** Waits for those who came before. @throws the signal's reason when it is aborted first. */
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
