import type { CallStatus } from "./call-statuses";

/** Groups of call statuses, for charts and filters that do not need every status. */
export const outcomeGroups = ["succeeded", "failed", "denied", "cancelled", "open"] as const;
export type OutcomeGroup = (typeof outcomeGroups)[number];

const groups: Record<CallStatus, OutcomeGroup> = {
  pending: "open",
  awaiting_approval: "open",
  running: "open",
  released: "open",
  succeeded: "succeeded",
  failed: "failed",
  timed_out: "failed",
  interrupted: "failed",
  denied: "denied",
  rejected: "denied",
  expired: "denied",
  cancelled: "cancelled",
};

export function findOutcomeGroup(status: CallStatus): OutcomeGroup {
  return groups[status];
}

/** Returns the call statuses of a group. */
export function statusesInGroup(group: OutcomeGroup): CallStatus[] {
  return (Object.keys(groups) as CallStatus[]).filter((status) => groups[status] === group);
}
