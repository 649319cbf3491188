import type { LiveTurn } from "../live-turn";
import type { CallRow } from "../read/present-turn";
import { auditCall } from "./audit-call";

/** Audit event that is written before a call with a side effect starts. */
export const intentEvent = "call.started";

/**
 * Records the intent of a started call that can change the world. The audit row is written with the call's `running`
 * row, so that nothing runs while the audit cannot be written.
 */
export function recordIntent(live: LiveTurn, call: CallRow): void {
  auditCall(live, call, intentEvent);
}
