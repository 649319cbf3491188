import "server-only";
import type { Turn } from "@/contracts/turns";
import { shutdownSignal } from "@/server/platform/shutdown";
import { signalFeed } from "@/server/platform/signal-feed";
import { readTurn } from "./load-turn";

/** How often a waiting poll looks at the row when no signal comes: what a lost notification costs at the most. */
const pollMs = 1_000;

/**
 * Where a turn rests: finished, or suspended on one certain question. `running` is no place to rest, so that a poll
 * that waits on a suspended turn answers with what came of the decision, not with "it runs".
 */
export function restingState(turn: Turn): string | null {
  if (turn.status === "running") return null;
  const question = turn.calls.find(({ status }) => status === "awaiting_approval")?.approvalId ?? "";
  return `${turn.status} ${question}`;
}

/**
 * Waits until a turn comes to rest somewhere else than where it was, at most `seconds`; a finished turn answers at once.
 * @returns the turn as it stands then.
 */
export async function waitForTurn(turnId: string, seconds: number, signal: AbortSignal): Promise<Turn> {
  const answered = new AbortController();
  const until = AbortSignal.any([signal, answered.signal, shutdownSignal(), AbortSignal.timeout(seconds * 1_000)]);
  const feed = signalFeed("turn", { signal: until, idleMs: pollMs, filter: (received) => received.turnId === turnId });
  try {
    const before = await readTurn(turnId);
    if (isFinished(before)) return before;
    const start = restingState(before);
    for await (const _ of feed) {
      const turn = await readTurn(turnId);
      const now = restingState(turn);
      if (now !== null && now !== start) return turn;
    }
    return await readTurn(turnId);
  } finally {
    answered.abort();
  }
}

export function isFinished(turn: Pick<Turn, "status">): boolean {
  return turn.status === "completed" || turn.status === "cancelled";
}
