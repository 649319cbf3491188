import type { AuditEventName } from "@/contracts/audit/audit";
import type { JsonObject } from "@/contracts/common";
import { tellEdit } from "@/server/approvals/told-edit";
import { notEvaluated } from "@/server/guard/not-evaluated";
import type { LiveTurn } from "../live-turn";
import type { CallRow } from "../read/present-turn";

/** Adds an audit row of a call to the turn's next write: the call as decided, and the details of the event. */
export function auditCall(live: LiveTurn, call: CallRow, event: AuditEventName, details: JsonObject = {}): void {
  const { turn, facts } = live;
  live.unsaved.audit.push({
    workspaceId: turn.workspaceId,
    event,
    actor: turn.requestedBy,
    subject: call.name,
    tool: call.name,
    agent: facts?.agent ?? null,
    source: facts?.sourceOf(call.name) ?? null,
    verdict: call.decision?.verdict ?? null,
    conversationId: turn.conversationId,
    turnId: turn.id,
    callId: call.id,
    data: { ...decided(call), ...whereItRuns(turn), ...details },
  });
}

/** Names the client that runs the call, and the folder in which it works. */
function whereItRuns({ machine }: LiveTurn["turn"]): JsonObject {
  return machine ? { runner: "client", client: machine.client, folder: machine.folder, box: machine.box } : {};
}

function decided({ requestedName, carriedBy, rawArguments, arguments: args, edited, decision, approvalId, hooks }: CallRow): JsonObject {
  return {
    requestedName,
    ...(carriedBy === null ? {} : { carriedBy }),
    arguments: rawArguments ?? args,
    ...tellEdit(edited),
    reason: decision?.reason ?? null,
    ruleId: decision?.ruleId ?? null,
    policyVersion: decision?.policyVersion ?? null,
    actionHash: decision?.actionHash ?? null,
    ...notEvaluated(decision),
    ...(decision?.grantId ? { grantId: decision.grantId } : {}),
    findings: decision?.findings ?? [],
    approvalId,
    ...(hooks ? { sentArguments: hooks.sent, hooks: hooks.steps.map(({ name, event, outcome }) => ({ name, event, outcome })) } : {}),
  };
}
