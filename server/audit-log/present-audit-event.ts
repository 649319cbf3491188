import type { AuditEvent } from "@/contracts/audit/audit";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { auditEvents } from "@/db/schema";

/** Tells an edited call by what ran. Rows of earlier releases hold what was asked as `arguments`. */
function withRunArguments({ data, actorType, actorId, actorName }: typeof auditEvents.$inferSelect): JsonObject {
  const { editedArguments, ...rest } = data;
  if (!isJsonObject(editedArguments)) return data;
  return {
    ...rest,
    arguments: editedArguments,
    askedArguments: rest.arguments ?? null,
    editedBy: { type: actorType, id: actorId, name: actorName },
  };
}

/** Converts an audit row to its public form. No other code publishes the row. */
export function presentAuditEvent(row: typeof auditEvents.$inferSelect, subjectName: string | null): AuditEvent {
  return {
    id: row.id,
    at: row.at.toISOString(),
    event: row.event,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    subject: row.subject,
    subjectName,
    tool: row.tool,
    agent: row.agent,
    source: row.source,
    verdict: row.verdict,
    conversationId: row.conversationId,
    turnId: row.turnId,
    callId: row.callId,
    data: withRunArguments(row),
    requestId: row.requestId,
  };
}
