import { z } from "zod";
import { ActorRef, Id, JsonObject, listOf, pageQuery, Timestamp } from "../common";
import { verdicts } from "../decisions/decision";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { auditEventWords } from "../generated";

/** Names of the form `noun.past_verb`. Each audit event is one row, written in the transaction of the recorded change. */
export const auditEventNames = Object.keys(auditEventWords) as [AuditEventName, ...AuditEventName[]];
export type AuditEventName = keyof typeof auditEventWords;

export const AuditEvent = z
  .object({
    id: Id,
    at: Timestamp,
    event: z.string().describe("Name of the event. A newer replica of the same database may write names that are not listed here."),
    actor: ActorRef,
    subject: z.string().nullable().describe("What it happened to: a tool's name, an approval's id."),
    subjectName: z
      .string()
      .nullable()
      .describe("Name or title that the subject has today; null when the subject has none, was removed, or names itself."),
    tool: z.string().nullable(),
    agent: z.string().nullable().describe("Name of the agent whose call it is."),
    source: z.string().nullable().describe("Source of the tool: `builtin`, `mcp:<alias>` and so on."),
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
  agent: z.string().max(200).optional().describe("Name of the agent."),
  source: z.string().max(200).optional().describe("Source of the tool: `builtin`, or `mcp:<alias>` of a server."),
  verdict: z.enum(verdicts).optional(),
  actor: z.string().max(200).optional().describe("Id or name of the actor."),
  conversationId: Id.optional(),
  from: Timestamp.optional().describe("Inclusive."),
  to: Timestamp.optional().describe("Exclusive."),
  /** Search words for the subject and the data. */
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

export const auditContract = defineContract({
  reference: { name: "Audit", description: "Everything that was called, decided and changed." },
  glossary: {
    "audit event": "A permanent record of a change or a call, named `noun.past_verb` (`tool.updated`).",
  },
  endpoints: auditEndpoints,
  // Handrail itself.
  actors: ["system"],
  permissions: { "audit:read": "Read and export the audit" },
  roles: { approver: ["audit:read"], viewer: ["audit:read"] },
  navigation: { label: "Audit", path: "/audit", icon: "IconHistory", key: "l", group: "admin", after: "/webhooks" },
});
