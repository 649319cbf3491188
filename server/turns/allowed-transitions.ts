import type { CallStatus } from "@/contracts/calls/call-statuses";
import type { TurnStatus } from "@/contracts/turns/turns";

/** Final statuses of a call that never started. */
const withoutStarting = ["failed", "denied", "rejected", "expired", "cancelled"] as const;

/** Statuses to which each status of a call may change; a final status never changes. */
export const callMoves: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  pending: ["running", "released", "awaiting_approval", ...withoutStarting],
  // To itself, because people are asked anew when an approved call has drifted.
  awaiting_approval: ["running", "released", "awaiting_approval", ...withoutStarting],
  // To `pending` and `awaiting_approval`, because rules changed before the call began, or recovery repeats a harmless call.
  running: ["succeeded", "failed", "timed_out", "cancelled", "interrupted", "pending", "awaiting_approval"],
  // The client runs it: a result comes, or nobody learns what became of it.
  released: ["succeeded", "failed", "cancelled", "interrupted"],
  succeeded: [],
  failed: [],
  denied: [],
  rejected: [],
  expired: [],
  timed_out: [],
  cancelled: [],
  interrupted: [],
};

/** Statuses to which each status of a turn may change. */
export const turnMoves: Readonly<Record<TurnStatus, readonly TurnStatus[]>> = {
  running: ["suspended", "completed", "cancelled"],
  // To `completed`, because the client reported the result of its last call.
  suspended: ["running", "completed", "cancelled"],
  completed: [],
  cancelled: [],
};

/** @throws Error for a move that is not allowed, which is always a mistake of ours, never of a caller */
export function assertMove<Status extends string>(
  moves: Readonly<Record<Status, readonly Status[]>>,
  what: string,
  from: Status,
  to: Status,
): void {
  if (!moves[from].includes(to)) throw new Error(`${what} cannot go from ${from} to ${to}`);
}
