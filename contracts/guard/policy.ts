import { z } from "zod";
import { ActorRef, Id, Json, Timestamp } from "../common";
import { Verdict } from "../decisions/decision";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { GuardConfigPatch, GuardRule, GuardRuleDraft, GuardSettings, GuardVersion, guardFormats, ruleSources } from "./guard";
import { RuleWarning } from "./rule-subjects";

/** A changed field; `before` or `after` is null when the field had, or has, no value. */
export const FieldChange = z.object({ field: z.string(), before: Json, after: Json }).meta({ id: "FieldChange" });
export type FieldChange = z.infer<typeof FieldChange>;

export const RuleChange = z
  .object({
    kind: z.enum(["added", "removed", "changed"]),
    ruleId: z.string(),
    name: z.string(),
    source: z.enum(ruleSources),
    fields: z.array(FieldChange).describe("Of an added or removed rule everything that it asks for and does."),
  })
  .meta({ id: "RuleChange" });
export type RuleChange = z.infer<typeof RuleChange>;

/** The differences between two policies. */
export const PolicyDiff = z
  .object({
    settings: z.array(FieldChange),
    rules: z.array(RuleChange).describe("At most 200."),
    reordered: z.number().int().describe("Rules whose priority changed and nothing else; they are among `rules` too."),
    total: z.number().int().describe("All changed rules, also those that are not listed."),
  })
  .meta({ id: "PolicyDiff" });
export type PolicyDiff = z.infer<typeof PolicyDiff>;

/** A rule as it is exported: without the fields of this installation. */
export const ExportedRule = GuardRule.omit({ source: true, version: true, createdAt: true, updatedAt: true });
export type ExportedRule = z.infer<typeof ExportedRule>;

export const importModes = ["merge", "replace"] as const;
export type ImportMode = (typeof importModes)[number];

export const ImportResult = z
  .object({
    applied: z.boolean(),
    inserted: z.number().int(),
    updated: z.number().int(),
    removed: z.number().int(),
    skipped: z.number().int().describe("Rules that were there already as they are in the import."),
    errors: z.array(z.object({ row: z.number().int().describe("From 0."), name: z.string(), path: z.string(), message: z.string() })),
    warnings: z
      .array(z.object({ row: z.number().int().describe("From 0."), name: z.string(), warning: RuleWarning }))
      .describe("What added and changed rules may not mean: the same as saving each would answer. At most 100."),
    diff: PolicyDiff,
    policyVersion: z.number().int(),
  })
  .meta({ id: "ImportResult" });
export type ImportResult = z.infer<typeof ImportResult>;

const ImportedRows = z
  .array(Json, { error: "must be a list: { schema, rules: [...] }" })
  .max(10_000)
  .describe("Rules as they are exported. One with the id, or else the name, of a rule of the workspace becomes that rule.");

const ImportBody = z
  .strictObject({
    schema: z.enum(guardFormats),
    exportedAt: z.string().optional(),
    count: z.number().optional(),
    rules: ImportedRows.default([]),
    settings: GuardSettings.optional().describe("Each setting that is named replaces the workspace's; the others stay."),
    mode: z
      .enum(importModes)
      .default("merge")
      .describe("`merge` adds and changes; `replace` also removes every rule that is not in the import."),
    dryRun: z.boolean().default(false).describe("Answers what it would change, and changes nothing."),
  })
  .refine(({ rules, settings }) => rules.length > 0 || settings !== undefined, { path: ["rules"], message: "there are no rules to import" })
  .meta({
    examples: [{ schema: "handrail.guard.rules.v1", rules: [{ name: "No writes", tool: "effect:write", verdict: "deny" }], dryRun: true }],
  });
export type ImportBody = z.infer<typeof ImportBody>;

/** A change of the policy that is not saved yet. */
export const PlannedChange = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("save"),
      rule: GuardRuleDraft.extend({ name: z.string().max(120).default("") }),
      id: Id.nullable().default(null).describe("The saved rule that it replaces."),
      otherwise: GuardRuleDraft.nullable().default(null).describe("A second rule, saved with it."),
    }),
    z.strictObject({ kind: z.literal("remove"), id: Id }),
    z.strictObject({ kind: z.literal("order"), ids: z.array(Id).min(1).max(1_000) }),
    z.strictObject({
      kind: z.literal("import"),
      rules: ImportedRows,
      settings: GuardSettings.optional(),
      mode: z.enum(importModes).default("merge"),
    }),
    z.strictObject({ kind: z.literal("restore"), version: z.number().int().min(1).max(2_147_483_647) }),
  ])
  .meta({ id: "PlannedChange" });
export type PlannedChange = z.infer<typeof PlannedChange>;

/** The recorded calls that a simulation decides again. */
const Over = z.union([
  z.strictObject({ days: z.number().int().min(1).max(90) }),
  z.strictObject({ from: Timestamp, to: Timestamp }),
  z.strictObject({ last: z.number().int().min(1).max(10_000) }),
]);

const SimulationBody = z
  .strictObject({
    change: PlannedChange.optional(),
    rules: ImportedRows.optional().describe("Every rule of the workspace as it would be; the same as an import that replaces."),
    config: GuardConfigPatch.optional().describe("Settings as they would be."),
    over: Over.default({ days: 30 }),
    cursor: z.string().max(400).optional().describe("`nextCursor` of the last answer, with everything else as it was."),
  })
  .meta({ examples: [{ config: { defaultPolicy: "require_approval" }, over: { days: 7 } }] });
export type SimulationBody = z.infer<typeof SimulationBody>;

export const Flip = z.object({ before: Verdict, after: Verdict, calls: z.number().int() });

/** Decisions of recorded calls under a changed policy: a page of up to 10,000 calls, newest first. */
export const Simulation = z
  .object({
    examined: z.number().int().describe("Calls of this page that were decided again, under the policy of now and under the changed one."),
    total: z.number().int().describe("Recorded calls in the asked time."),
    from: Timestamp.nullable().describe("The oldest and the newest call of this page."),
    to: Timestamp.nullable(),
    flips: z.array(Flip).describe("Calls that would get another verdict, by what it is and would be."),
    calls: z
      .array(
        z.object({
          callId: Id,
          tool: z.string(),
          at: Timestamp,
          seen: z.string().describe("What the call is about, with secrets masked and cut at 1,000 characters."),
          before: Verdict,
          after: Verdict,
          why: z.string(),
        }),
      )
      .describe("The newest of them, at most 100."),
    approvals: z.object({ before: z.number().int(), after: z.number().int() }).describe("Calls that a person is asked about."),
    days: z.number().describe("Time that the examined calls span, at least a day."),
    approvalsPerDay: z.object({ before: z.number(), after: z.number() }),
    policyVersion: z.number().int(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "Simulation" });
export type Simulation = z.infer<typeof Simulation>;

export const PolicyFileStatus = z
  .object({
    name: z.string().describe("Of the file, without its folder."),
    digest: z.string().describe("Beginning of the SHA-256 of its rules, as decisions carry it."),
    rules: z.number().int(),
    readAt: Timestamp,
    mistake: z
      .object({ message: z.string(), line: z.number().int().nullable(), column: z.number().int().nullable(), at: Timestamp })
      .nullable()
      .describe("Why the file as it is now cannot be used; its last good rules go on."),
  })
  .meta({ id: "PolicyFileStatus" });
export type PolicyFileStatus = z.infer<typeof PolicyFileStatus>;

export const versionComparisons = ["previous", "current"] as const;

const importBytes = 16 * 1_048_576;

export const policyEndpoints = {
  getFile: endpoint({
    method: "GET",
    path: "/api/v1/guard/policy-file",
    summary: "The policy file of the replica that answers",
    permission: "guard:read",
    response: z.object({ file: PolicyFileStatus.nullable().describe("null: HANDRAIL_POLICY_FILE is not set.") }),
  }),
  exportRules: endpoint({
    method: "GET",
    path: "/api/v1/guard/rules/export",
    summary: "Rules and settings of the workspace's guard, to be kept or imported elsewhere",
    permission: "guard:read",
    response: z.object({
      schema: z.literal(guardFormats[0]),
      exportedAt: Timestamp,
      count: z.number().int(),
      settings: GuardSettings,
      rules: z.array(ExportedRule).describe("In the order in which they are tried, without those of the policy file."),
    }),
  }),
  importRules: endpoint({
    method: "POST",
    path: "/api/v1/guard/rules/import",
    summary: "Import rules and settings, all of them or none; `dryRun` shows what would change",
    headers: ["If-Match"],
    permission: "guard:write",
    body: ImportBody,
    maxBodyBytes: importBytes,
    response: ImportResult,
  }),
  simulate: endpoint({
    method: "POST",
    path: "/api/v1/guard/simulate",
    summary: "What a change of the policy would have done to recorded calls; saves nothing",
    permission: "guard:read",
    body: SimulationBody,
    maxBodyBytes: importBytes,
    response: Simulation,
  }),
  getVersion: endpoint({
    method: "GET",
    path: "/api/v1/guard/versions/{version}",
    summary: "What a version of the policy changed, or how it differs from the current one",
    permission: "guard:read",
    params: z.object({ version: z.coerce.number().int().min(1).max(2_147_483_647) }),
    query: z.object({
      against: z
        .enum(versionComparisons)
        .default("previous")
        .describe("`previous`: from the version before to this one. `current`: from now to this one."),
    }),
    response: GuardVersion.extend({ actor: ActorRef, diff: PolicyDiff }),
  }),
};

export const policyContract = defineContract({
  reference: {
    name: "Policy",
    description: "The guard's policy as a whole: import and export, versions side by side, and a change tried on recorded calls.",
  },
  glossary: {
    "configuration version": "A number that grows with each change of a workspace's configuration, so that caches notice the change.",
    policy: "The rules, detector settings and default policy of a workspace at one version.",
    "policy file": "A YAML file from which read-only guard rules come.",
    simulation: "A replay of recorded calls against a changed policy, before the change is saved.",
    version: "A saved state of the policy that can be compared and restored.",
  },
  endpoints: policyEndpoints,
});
