import { z } from "zod";
import { ActorRef, Id, JsonObject, listOf, pageQuery, Timestamp } from "./common";
import { endpoint } from "./endpoint";
import { verdicts } from "./guard";

/** `noun.past_verb`; one row each, in the transaction of what it records. */
export const auditEventNames = [
  "workspace.created",
  "user.created",
  "user.updated",
  "user.removed",
  "user.signed_in",
  "user.sign_in_failed",
  "api_key.created",
  "api_key.revoked",
  "tool.updated",
  "tool.tier_changed",
  "mcp_server.created",
  "mcp_server.updated",
  "mcp_server.removed",
  "mcp_server.tier_changed",
  "mcp_server.tools_changed",
  "agent.created",
  "agent.updated",
  "agent.removed",
  "agent.tools_changed",
  "conversation.created",
  "conversation.removed",
  "tool.activated",
  "guard_config.updated",
  "guard_rule.created",
  "guard_rule.updated",
  "guard_rule.removed",
  "guard_rules.reordered",
  "guard_version.restored",
  "replica.started",
  "replica.stopped",
  "replica.lost",
  "turn.cancelled",
  "turn.recovered",
  "call.succeeded",
  "call.failed",
  "call.denied",
  "call.rejected",
  "call.expired",
  "call.timed_out",
  "call.cancelled",
  "call.interrupted",
  "call.answered",
  "call.promoted",
  "job.started",
  "job.succeeded",
  "job.failed",
  "job.timed_out",
  "job.cancelled",
  "job.interrupted",
  "approval.requested",
  "approval.approved",
  "approval.rejected",
  "approval.expired",
  "approval.cancelled",
  "approval.voided",
  "webhook.created",
  "webhook.updated",
  "webhook.removed",
  "webhook.secret_rotated",
  "webhook.redelivered",
  "webhook.delivery_failed",
] as const;
export type AuditEventName = (typeof auditEventNames)[number];

export const AuditEvent = z
  .object({
    id: Id,
    at: Timestamp,
    event: z.enum(auditEventNames),
    actor: ActorRef,
    subject: z.string().nullable().describe("What it happened to: a tool's name, an approval's id."),
    tool: z.string().nullable(),
    verdict: z.enum(verdicts).nullable(),
    conversationId: Id.nullable(),
    turnId: Id.nullable(),
    callId: Id.nullable(),
    data: JsonObject.describe("Arguments, decision, change; secrets masked."),
    requestId: z.string().nullable(),
  })
  .meta({ id: "AuditEvent" });
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditFilter = z.object({
  event: z.string().max(64).optional().describe("Name of the event, or a noun (`approval`) for all events of that noun."),
  tool: z.string().max(64).optional(),
  verdict: z.enum(verdicts).optional(),
  actor: z.string().max(200).optional().describe("Id or name of the actor."),
  conversationId: Id.optional(),
  from: Timestamp.optional().describe("Inclusive."),
  to: Timestamp.optional().describe("Exclusive."),
  /** Words looked for in the subject and the data. */
  query: z.string().max(200).optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

export const auditEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/audit",
    summary: "Audit events, newest first",
    permission: "audit:read",
    query: AuditFilter.extend(pageQuery),
    response: listOf(AuditEvent),
  }),
  export: endpoint({
    method: "GET",
    path: "/api/v1/audit/export",
    summary: "Every event that the filter covers, streamed as CSV or NDJSON",
    permission: "audit:read",
    query: AuditFilter.extend({ format: z.enum(["csv", "ndjson"]) }),
    responseType: "text/csv",
  }),
};
