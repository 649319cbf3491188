export const callStatuses = [
  "pending",
  "awaiting_approval",
  "running",
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
  (status) => status !== "pending" && status !== "awaiting_approval" && status !== "running",
);
