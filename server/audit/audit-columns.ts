import { newId } from "@/server/platform/ids";
import { type AuditEntry, auditRow } from "./record";

/** Columns of an audit row with their types, for `jsonb_to_record`. */
export const auditColumns = `id uuid, workspace_id uuid, event text, actor_type text, actor_id text, actor_name text, subject text,
    tool text, agent text, source text, verdict text, conversation_id uuid, turn_id uuid, call_id uuid, data jsonb, request_id text`;

/** The names of `auditColumns`, in the same order. */
export const auditNames = auditColumns.replaceAll(/(\w+) \w+/g, "$1");

/** Converts an entry to JSON with the keys of `auditColumns`, secrets masked. */
export function auditJson(entry: AuditEntry) {
  const row = auditRow(entry);
  return {
    id: newId(),
    workspace_id: row.workspaceId,
    event: row.event,
    actor_type: row.actorType,
    actor_id: row.actorId,
    actor_name: row.actorName,
    subject: row.subject,
    tool: row.tool,
    agent: row.agent,
    source: row.source,
    verdict: row.verdict,
    conversation_id: row.conversationId,
    turn_id: row.turnId,
    call_id: row.callId,
    data: row.data,
    request_id: row.requestId,
  };
}
