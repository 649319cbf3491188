import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

const days = z.number().int().min(0, "at least 0").max(36_500, "at most 36,500 days");

const months = z.number().int().min(0, "at least 0").max(1_200, "at most 1,200 months");

export const AuditSettingsPatch = z
  .strictObject({
    callDays: days.optional().describe("Days for calls, turns, runs and approvals; 0 keeps them."),
    configurationDays: days.optional().describe("Days for changes of the configuration; 0 keeps them."),
    signInDays: days.optional().describe("Days for sign-ins; 0 keeps them."),
    archiveMonths: months
      .optional()
      .describe(
        "Closed months that stay in the database; events of older ones go to compressed files, where reading takes longer. 0 archives none.",
      ),
  })
  .meta({ examples: [{ signInDays: 3_650 }] });
export type AuditSettingsPatch = z.infer<typeof AuditSettingsPatch>;

export const AuditSettings = z
  .object({
    callDays: days,
    configurationDays: days,
    signInDays: days,
    archiveMonths: months,
    version: z.number().int(),
    updatedAt: Timestamp.nullable().describe("Null while nobody has changed the defaults."),
  })
  .meta({ id: "AuditSettings" });
export type AuditSettings = z.infer<typeof AuditSettings>;

const count = z.number().int();

export const AuditRemovalPlan = z
  .object({
    calls: count,
    configuration: count,
    signIns: count,
    held: count.describe("Rows that are old enough and that a hold keeps."),
    oldest: Timestamp.nullable().describe("Time of the oldest row that would go; null when none would."),
  })
  .meta({ id: "AuditRemovalPlan" });
export type AuditRemovalPlan = z.infer<typeof AuditRemovalPlan>;

export const auditHoldKinds = ["person", "agent", "period"] as const;

export const AuditHoldDraft = z
  .strictObject({
    name: z.string().trim().min(1, "needs a name").max(100, "at most 100 characters"),
    kind: z.enum(auditHoldKinds),
    subject: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe("Id of the person or name of the agent; null for a period."),
    from: Timestamp.nullable().default(null).describe("Inclusive; null holds from the beginning on."),
    to: Timestamp.nullable().default(null).describe("Exclusive; null holds to the end."),
  })
  .meta({ examples: [{ name: "Case 17", kind: "agent", subject: "deployer", from: null, to: null }] });
export type AuditHoldDraft = z.infer<typeof AuditHoldDraft>;

export const AuditHold = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(auditHoldKinds),
    subject: z.string().nullable(),
    from: Timestamp.nullable(),
    to: Timestamp.nullable(),
    version: count,
    createdAt: Timestamp,
  })
  .meta({ id: "AuditHold" });
export type AuditHold = z.infer<typeof AuditHold>;

export const auditRetentionEndpoints = {
  settings: endpoint({
    method: "GET",
    path: "/api/v1/audit-settings",
    summary: "How long audit rows are kept",
    permission: "audit:read",
    response: AuditSettings,
  }),
  updateSettings: endpoint({
    method: "PATCH",
    path: "/api/v1/audit-settings",
    summary: "Change how long audit rows are kept",
    headers: ["If-Match"],
    permission: "audit:retain",
    body: AuditSettingsPatch,
    response: AuditSettings,
  }),
  plan: endpoint({
    method: "GET",
    path: "/api/v1/audit-settings/plan",
    summary: "How many rows the retention would remove now; with days, how many it would with them",
    permission: "audit:read",
    query: z.object({
      callDays: z.coerce.number().int().min(0).max(36_500).optional(),
      configurationDays: z.coerce.number().int().min(0).max(36_500).optional(),
      signInDays: z.coerce.number().int().min(0).max(36_500).optional(),
    }),
    response: AuditRemovalPlan,
  }),
  holds: endpoint({
    method: "GET",
    path: "/api/v1/audit-holds",
    summary: "Holds that keep audit rows from the retention, in the order of their creation",
    permission: "audit:read",
    query: z.object(pageQuery),
    response: listOf(AuditHold),
  }),
  createHold: endpoint({
    method: "POST",
    path: "/api/v1/audit-holds",
    summary: "Keep the audit rows of a person, an agent or a period",
    permission: "audit:retain",
    body: AuditHoldDraft,
    response: AuditHold,
    status: 201,
  }),
  removeHold: endpoint({
    method: "DELETE",
    path: "/api/v1/audit-holds/{id}",
    summary: "End a hold",
    headers: ["If-Match"],
    permission: "audit:retain",
    params: z.object({ id: Id }),
    response: Empty,
  }),
};

export const auditRetentionContract = defineContract({
  reference: { name: "Retention of the audit", description: "How long audit rows are kept, and what is held." },
  glossary: { hold: "Keeps the audit rows of a person, an agent or a period from the retention." },
  endpoints: auditRetentionEndpoints,
  permissions: { "audit:retain": "Set how long audit rows are kept, and hold them" },
  implies: { "audit:retain": ["audit:read"] },
  audit: {
    "audit_settings.updated": "Retention of the audit changed",
    "audit_hold.created": "Audit hold created",
    "audit_hold.removed": "Audit hold ended",
    "audit.rows_removed": "Audit rows removed by the retention",
    "audit.rows_archived": "Audit rows archived",
    "audit.rows_returned": "Archived audit rows taken back",
  },
});
