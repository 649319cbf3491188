import type { CallStatus, TurnStatus } from "@/contracts/turns";

/** Ends that a call can have without ever having started. */
const withoutStarting = ["failed", "denied", "rejected", "expired", "cancelled"] as const;

/** Where each status of a call may lead. Nothing leads out of the others: they are final. */
export const callMoves: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  pending: ["running", "awaiting_approval", ...withoutStarting],
  // To itself: what was approved has changed meanwhile, so people are asked anew.
  awaiting_approval: ["running", "awaiting_approval", ...withoutStarting],
  // Back to where it was: when rules changed before it began, and when recovery lets it run again because that does no harm.
  running: ["succeeded", "failed", "timed_out", "cancelled", "interrupted", "pending", "awaiting_approval"],
  succeeded: [],
  failed: [],
  denied: [],
  rejected: [],
  expired: [],
  timed_out: [],
  cancelled: [],
  interrupted: [],
};

/** Where each status of a turn may lead. */
export const turnMoves: Readonly<Record<TurnStatus, readonly TurnStatus[]>> = {
  running: ["suspended", "completed", "cancelled"],
  suspended: ["running", "cancelled"],
  completed: [],
  cancelled: [],
};

/** @throws Error for a move that must not happen: a mistake of ours, never of a caller. */
export function demandMove<Status extends string>(
  moves: Readonly<Record<Status, readonly Status[]>>,
  what: string,
  from: Status,
  to: Status,
): void {
  if (!moves[from].includes(to)) throw new Error(`${what} cannot go from ${from} to ${to}`);
}
