/** Days over which the use of tools is counted. */
export const usageDays = 30;

/** The category of each final audit event; a call has exactly one such event. */
export const callEndKinds = {
  "call.succeeded": "other",
  "call.failed": "failure",
  "call.timed_out": "failure",
  "call.interrupted": "failure",
  "call.denied": "refusal",
  "call.rejected": "refusal",
  "call.expired": "refusal",
  "call.cancelled": "other",
} as const;
export type EndEvent = keyof typeof callEndKinds;
export const callEndEvents = Object.keys(callEndKinds) as EndEvent[];
