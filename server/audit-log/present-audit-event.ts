import type { AuditEvent } from "@/contracts/audit";
import type { auditEvents } from "@/db/schema";

/** Converts an audit row to its public form. No other code publishes the row. */
export function presentAuditEvent(row: typeof auditEvents.$inferSelect): AuditEvent {
  return {
    id: row.id,
    at: row.at.toISOString(),
    event: row.event,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    subject: row.subject,
    tool: row.tool,
    agent: row.agent,
    source: row.source,
    verdict: row.verdict,
    conversationId: row.conversationId,
    turnId: row.turnId,
    callId: row.callId,
    data: row.data,
    requestId: row.requestId,
  };
}
