import { bootId } from "@/server/platform/ids";
import { type LiveTurn, moveCall, note } from "../live-turn";
import type { ReadyCall } from "../plan-segment";

/**
 * pending or awaiting_approval → running. Saved before a call runs that can change the world, so that a process that
 * dies in between leaves a trace, and nothing ever starts twice.
 */
export function startCall(live: LiveTurn, { row, registered, arguments: args, decision }: ReadyCall): void {
  moveCall(live, row, "running", {
    name: registered.name,
    arguments: args,
    rawArguments: null,
    decision,
    startedBy: bootId(),
    startedAt: new Date(),
  });
  note(live, "call.started", { callId: row.id, id: row.runtimeId, name: row.name }, row.id);
}
