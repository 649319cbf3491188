export const callStatuses = [
  "pending",
  "awaiting_approval",
  "running",
  /** Allowed, and handed to the client that runs it: its result has not been reported yet. */
  "released",
  "succeeded",
  "failed",
  "denied",
  "rejected",
  "expired",
  "timed_out",
  "cancelled",
  "interrupted",
] as const;
export type CallStatus = (typeof callStatuses)[number];

/** Statuses that a call never leaves. */
export const finalCallStatuses = callStatuses.filter(
  (status) => status !== "pending" && status !== "awaiting_approval" && status !== "running" && status !== "released",
);
