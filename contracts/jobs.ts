export const jobStatuses = ["pending", "running", "succeeded", "failed", "timed_out", "cancelled", "interrupted"] as const;
export type JobStatus = (typeof jobStatuses)[number];
