import { sharedNow } from "@/server/platform/database/shared-clock";
import { bootId } from "@/server/platform/ids";
import { appendEvent, type LiveTurn, moveCall } from "../live-turn";
import type { ReadyCall } from "../step-data";

/**
 * pending or awaiting_approval → running. Saved before a call with a side effect runs, so that a process that dies in
 * between leaves a trace and no call starts twice.
 */
export function startCall(live: LiveTurn, { row, registered, arguments: args, decision }: ReadyCall): void {
  moveCall(live, row, "running", {
    name: registered.name,
    arguments: args,
    rawArguments: null,
    decision,
    startedBy: bootId(),
    startedAt: sharedNow(),
  });
  appendEvent(live, "call.started", { callId: row.id, id: row.runtimeId, name: row.name }, row.id);
}
