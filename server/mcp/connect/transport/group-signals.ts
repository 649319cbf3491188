import { setTimeout as wait } from "node:timers/promises";

/** Time limits of the three steps of `signalUntilGone`, in milliseconds. */
const afterInputClosed = 300;
const afterTerm = 1_500;
const afterKill = 1_000;
const pollMilliseconds = 20;

/** Signals every process of a group; signal 0 only tests. Returns whether the group had a process. */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-id, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends a process group: waits a moment for its own end, sends SIGTERM, then SIGKILL.
 * @param ask replaces the SIGTERM when the leader's processes are in other groups
 */
export async function signalUntilGone(id: number, ask: (leader: number) => unknown = askGroup): Promise<void> {
  if (await isGoneWithin(id, afterInputClosed)) return;
  ask(id);
  if (await isGoneWithin(id, afterTerm)) return;
  signalGroup(id, "SIGKILL");
  // Bounded, because in a container without an init no process reaps orphans, and a dead child stays a member for ever.
  await isGoneWithin(id, afterKill);
}

const askGroup = (id: number): unknown => signalGroup(id, "SIGTERM");

async function isGoneWithin(id: number, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (signalGroup(id, 0)) {
    if (performance.now() > end) return false;
    await wait(pollMilliseconds);
  }
  return true;
}
