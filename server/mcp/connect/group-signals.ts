import { setTimeout as wait } from "node:timers/promises";

/** How long each step of the ending may take, in milliseconds. */
const afterInputClosed = 300;
const afterTerm = 1_500;
const afterKill = 1_000;
const pollMilliseconds = 20;

/** Signals every process of a group; 0 only looks. Answers whether there was anybody to signal. */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-id, signal);
    return true;
  } catch {
    return false;
  }
}

/** Waits a moment for a group to end by itself, asks it to, makes it. */
export async function signalUntilGone(id: number): Promise<void> {
  if (await isGoneWithin(id, afterInputClosed)) return;
  signalGroup(id, "SIGTERM");
  if (await isGoneWithin(id, afterTerm)) return;
  signalGroup(id, "SIGKILL");
  // Bounded: where nobody reaps orphans (a container without an init), a dead child counts as a member for ever.
  await isGoneWithin(id, afterKill);
}

async function isGoneWithin(id: number, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (signalGroup(id, 0)) {
    if (performance.now() > end) return false;
    await wait(pollMilliseconds);
  }
  return true;
}
