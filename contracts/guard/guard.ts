import { z } from "zod";
import { ActorRef, Empty, Id, JsonObject, listOf, pageQuery, Timestamp } from "../common";
import { RuleApprovers, requesterMayDecide } from "../decisions/approvers";
import { Decision, severities, Verdict } from "../decisions/decision";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { EscalatePatterns } from "../tools/surface";
import { AllowedHost } from "./allowed-host";
import { ArgumentName, Comparison, EvaluatedContext, RuleContext } from "./rule-conditions";
import { RuleWarning } from "./rule-subjects";

export const defaultPolicies = ["by_effect", "allow", "require_approval", "deny"] as const;

/** An admin's override of one detector. */
export const DetectorSetting = z.strictObject({
  enabled: z.boolean().default(true).describe("Switched off, it does not look at calls at all."),
  verdict: Verdict.optional().describe("Verdict of its findings in place of its own; `allow` notes them and lets the call pass."),
});
export type DetectorSetting = z.infer<typeof DetectorSetting>;

/** A change of one detector; `verdict: null` takes the setting back, as leaving it out does. */
export const DetectorChange = DetectorSetting.extend({
  verdict: Verdict.nullish().describe("Verdict of its findings in place of its own; null brings its own back."),
});
export type DetectorChange = z.infer<typeof DetectorChange>;

export const DetectorSettings = z
  .record(z.string().min(1).max(100), DetectorSetting)
  .refine((settings) => Object.keys(settings).length <= 200, "there are not that many detectors")
  .describe("By detector id; a detector that is not named has its own verdict.");
export type DetectorSettings = z.infer<typeof DetectorSettings>;

/** A detector with its settings in this workspace. */
export const GuardDetector = z
  .object({
    id: z.string(),
    title: z.string(),
    severity: z.enum(severities),
    explanation: z.string().describe("Why it is dangerous."),
    fix: z.string().describe("What to do instead."),
    relaxable: z.boolean().describe("Whether it may be made milder than it comes, or switched off."),
    floor: z
      .boolean()
      .describe(
        "Part of the hard floor: denied whatever rules and approvals say, even with the guard off. Nothing about it can be changed.",
      ),
    ownVerdict: Verdict.describe("What it comes with."),
    enabled: z.boolean(),
    verdict: Verdict.describe("What its findings do now."),
    confinedBySandbox: z
      .boolean()
      .optional()
      .describe("In the sandbox its findings only inform, because the kernel confines what they warn of."),
  })
  .meta({ id: "GuardDetector" });
export type GuardDetector = z.infer<typeof GuardDetector>;

export const GuardConfig = z
  .object({
    enabled: z.boolean(),
    defaultPolicy: z.enum(defaultPolicies),
    approvalTimeoutSeconds: z.number().int(),
    detectors: DetectorSettings,
    deniedTools: z.array(z.string()).describe("Tools that are never offered and never run, whatever rules and approvals say."),
    sensitivePaths: z.array(z.string()).describe("Globs of paths that a person is asked about, besides those that are known as sensitive."),
    escalatePatterns: EscalatePatterns,
    allowedHosts: z.array(AllowedHost).max(200).describe("Hosts that sandboxed programs and url_fetch may reach without asking."),
    requesterMayDecide: z
      .enum(requesterMayDecide)
      .describe("Whether a person may decide a call that they submitted; `not_critical`: unless it has a critical finding."),
    policyVersion: z.number().int(),
    updatedAt: Timestamp,
  })
  .meta({ id: "GuardConfig" });
export type GuardConfig = z.infer<typeof GuardConfig>;

export const ToolPattern = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(
    /^[A-Za-z0-9_*?:-]+$/,
    "use a tool's name, or a pattern with * and ?; `source:mcp`, `effect:write` and `needs:shell` match kinds of tools, `does:reads_path` calls of any tool",
  );

export const SensitivePath = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u, "write a path or a glob on one line, without invisible characters")
  .describe("A path or a glob: `*` stays within a folder, `**` goes through folders; without a slash it is the name of a file or folder.");

export const GuardConfigPatch = z
  .strictObject({
    enabled: z.boolean().optional(),
    defaultPolicy: z.enum(defaultPolicies).optional(),
    approvalTimeoutSeconds: z
      .number()
      .int()
      .min(10)
      .max(7 * 24 * 3_600)
      .optional(),
    detectors: DetectorSettings.optional().describe("Replaces all settings of detectors. `PUT /guard/detectors/{id}` changes one."),
    deniedTools: z
      .array(ToolPattern)
      .max(500)
      .optional()
      .describe("Names of tools, globs (`fs__*`), or `source:`, `effect:`, `surface:`, `needs:` with a value."),
    sensitivePaths: z.array(SensitivePath).max(200).optional(),
    allowedHosts: z.array(AllowedHost).max(200).optional(),
    escalatePatterns: EscalatePatterns.optional(),
    requesterMayDecide: z.enum(requesterMayDecide).optional(),
  })
  .meta({ examples: [{ defaultPolicy: "require_approval" }] });
export type GuardConfigPatch = z.infer<typeof GuardConfigPatch>;

/** Settings that an export carries beside the rules. `enabled` is left out because the switch belongs to the workspace. */
export const GuardSettings = z.strictObject(GuardConfigPatch.shape).omit({ enabled: true });
export type GuardSettings = z.infer<typeof GuardSettings>;

const Pattern = z.string().min(1).max(1_000).nullable().default(null);

const ruleFields = {
  name: z.string().trim().min(1).max(120),
  tool: ToolPattern.describe(
    "A tool's name, a glob (`fs__*`), `*`, or `source:`, `effect:`, `surface:`, `needs:` with a value. Or what a call does, whichever tool does it: `does:runs_commands`, `does:reads_path`, `does:writes_path` (deletes, too), `does:connects_to`; the patterns then see each command, path or host.",
  ),
  parameter: ArgumentName.nullable()
    .default(null)
    .describe(
      "Argument that the patterns see, by name or JSON pointer (`/headers/*`); without one, the tool's primary argument (a command, a path, a URL), else its canonical JSON.",
    ),
  pattern: Pattern.describe("RE2 syntax, linear time. Without one the rule matches every call of the tool."),
  excludePattern: Pattern.describe(
    "RE2 syntax. What it is found in too, the rule does not match; on a command it must cover every part of it.",
  ),
  comparisons: z.array(Comparison).max(20).default([]).describe("All of them must hold."),
  context: RuleContext.nullable().default(null),
  verdict: Verdict,
  priority: z
    .number()
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .default(100)
    .describe("Higher first; of equal priorities the older rule (the smaller id) first. The first rule that matches decides."),
  enabled: z.boolean().default(true),
  reason: z.string().trim().max(500).default("").describe("Shown to the approver and to the model."),
  expiresAt: Timestamp.nullable().default(null),
  relaxes: z
    .array(z.string().min(1).max(100))
    .max(100)
    .default([])
    .describe(
      "Ids of detectors (`GET /guard/detectors`) whose findings decide nothing about calls that this rule decides; they are still noted. Never the hard floor. Of a command every part must match.",
    ),
  approvers: RuleApprovers.nullable()
    .default(null)
    .describe("Who decides the calls that the rule asks about. Without it, everybody who decides approvals."),
};

export const ruleSources = ["workspace", "file"] as const;
/** Names of the export format: we write the first; files of the second hold rules only. */
export const guardFormats = ["handrail.guard.v1", "handrail.guard.rules.v1"] as const;

export const GuardRuleDraft = z.strictObject(ruleFields).meta({
  examples: [
    {
      name: "Reading in the shell",
      tool: "shell_execute",
      pattern: "^(ls|cat|grep|find)\\b",
      verdict: "allow",
      reason: "It only looks",
    },
  ],
});
export type GuardRuleDraft = z.infer<typeof GuardRuleDraft>;

export const GuardRule = z
  .object({
    id: Id,
    ...ruleFields,
    source: z.enum(ruleSources).describe("`file`: from HANDRAIL_POLICY_FILE, and changed only there."),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "GuardRule" });
export type GuardRule = z.infer<typeof GuardRule>;

/** An earlier rule or list that decides every call which a rule could match, so that the rule never decides. */
export const EarlierDecision = z
  .object({
    ruleId: Id.nullable().describe("The first earlier rule that decides each of them; null: the list of denied tools does."),
    name: z.string().describe("The name of that rule, or the entry of the list of denied tools."),
  })
  .meta({ id: "EarlierDecision" });
export type EarlierDecision = z.infer<typeof EarlierDecision>;

const neverReachedBecauseOf = EarlierDecision.nullable().describe(
  "Why the rule is never reached; null when it may decide. Only what is proven is said: tools by their names, globs and kinds, equal patterns and longer starts of them, and conditions.",
);

/** A saved rule with its place among the others and its use. */
export const ListedRule = GuardRule.extend({
  neverReachedBecauseOf,
  hits30Days: z
    .number()
    .int()
    .nullable()
    .describe(
      "Calls of the last 30 days that the rule decided, a few minutes old at most; null while they are counted for the first time.",
    ),
}).meta({ id: "ListedRule" });
export type ListedRule = z.infer<typeof ListedRule>;

/** A saved rule, with what it may not mean. */
export const SavedRule = GuardRule.extend({
  warnings: z.array(RuleWarning).describe("What the rule may not mean. It is saved all the same."),
}).meta({ id: "SavedRule" });
export type SavedRule = z.infer<typeof SavedRule>;

export const Evaluation = Decision.pick({
  verdict: true,
  reason: true,
  ruleId: true,
  findings: true,
  trace: true,
  policyVersion: true,
  effects: true,
  sandboxed: true,
})
  .extend({ tool: z.string(), /** Text that a pattern without a parameter is matched against. */ seen: z.string() })
  .meta({ id: "Evaluation" });
export type Evaluation = z.infer<typeof Evaluation>;

/** The draft of a rule about calls like a recorded one. */
export const RuleStart = z
  .object({
    tool: z.string(),
    pattern: z
      .string()
      .nullable()
      .describe("A closed pattern of program and subcommand, folder or address; null when the call has no such text."),
    seen: z.string().nullable().describe("The text that a pattern is tried on; null when it held secrets, which are not stored."),
    verdict: Verdict.nullable().describe("The guard's verdict on the call; null when it was not decided."),
  })
  .meta({ id: "RuleStart" });
export type RuleStart = z.infer<typeof RuleStart>;

/** Outcome of an unsaved rule on the last recorded calls. */
export const RulePreview = z
  .object({
    patternError: z
      .object({ message: z.string(), index: z.number().int().nullable() })
      .nullable()
      .describe("Why the pattern cannot be used, with the offset of the mistake where it is known."),
    excludeError: z.object({ message: z.string(), index: z.number().int().nullable() }).nullable().describe("The same for the exception."),
    tools: z.array(z.string()).describe("Tools of the workspace that the tool pattern covers now."),
    neverReachedBecauseOf,
    warnings: z.array(RuleWarning).describe("What the rule may not mean: the same as saving it would answer."),
    examined: z.number().int(),
    matched: z.number().int(),
    calls: z.array(
      z.object({
        callId: Id,
        tool: z.string(),
        at: Timestamp,
        seen: z.string().describe("The text that the pattern is tried on, shown with secrets masked and cut at 4,000 characters."),
        result: z.enum(["matched", "not_matched", "could_not_evaluate"]),
        why: z.string(),
        /** Verdict that the call would get now, and the one with this rule saved. */
        before: Verdict,
        after: Verdict,
      }),
    ),
  })
  .meta({ id: "RulePreview" });
export type RulePreview = z.infer<typeof RulePreview>;

export const GuardVersion = z
  .object({ version: z.number().int(), summary: z.string(), actor: ActorRef, createdAt: Timestamp, rules: z.number().int() })
  .meta({ id: "GuardVersion" });
export type GuardVersion = z.infer<typeof GuardVersion>;

const params = z.object({ id: Id });

export const guardEndpoints = {
  getConfig: endpoint({
    method: "GET",
    path: "/api/v1/guard/config",
    summary: "The guard's switch, default policy and approval time",
    permission: "guard:read",
    response: GuardConfig,
  }),
  updateConfig: endpoint({
    method: "PUT",
    path: "/api/v1/guard/config",
    summary: "Change the guard's configuration",
    headers: ["If-Match"],
    permission: "guard:write",
    body: GuardConfigPatch,
    response: GuardConfig,
  }),
  listDetectors: endpoint({
    method: "GET",
    path: "/api/v1/guard/detectors",
    summary: "Built-in detectors, in the order in which they look at a call",
    permission: "guard:read",
    response: listOf(GuardDetector).extend({ policyVersion: z.number().int() }),
  }),
  updateDetector: endpoint({
    method: "PUT",
    path: "/api/v1/guard/detectors/{id}",
    summary: "Relax a detector, make it stricter, or switch it off; an empty body or `verdict: null` brings back what it comes with",
    headers: ["If-Match"],
    permission: "guard:write",
    params: z.object({ id: z.string().min(1).max(100) }),
    body: DetectorChange.meta({ examples: [{ enabled: true, verdict: "allow" }] }),
    response: GuardDetector,
  }),
  resetDetector: endpoint({
    method: "DELETE",
    path: "/api/v1/guard/detectors/{id}",
    summary: "Take a detector's setting back: it does again what it comes with",
    headers: ["If-Match"],
    permission: "guard:write",
    params: z.object({ id: z.string().min(1).max(100) }),
    response: GuardDetector,
  }),
  listRules: endpoint({
    method: "GET",
    path: "/api/v1/guard/rules",
    summary: "Rules in the order in which they are tried: higher priority first, of equal priorities the older rule first",
    permission: "guard:read",
    query: z.object(pageQuery),
    response: listOf(ListedRule),
  }),
  createRule: endpoint({
    method: "POST",
    path: "/api/v1/guard/rules",
    summary: "Add a rule",
    permission: "guard:write",
    body: GuardRuleDraft,
    response: SavedRule,
    status: 201,
  }),
  getRule: endpoint({
    method: "GET",
    path: "/api/v1/guard/rules/{id}",
    summary: "One rule",
    permission: "guard:read",
    params,
    response: ListedRule,
  }),
  updateRule: endpoint({
    method: "PUT",
    path: "/api/v1/guard/rules/{id}",
    summary: "Replace a rule",
    headers: ["If-Match"],
    permission: "guard:write",
    params,
    body: GuardRuleDraft,
    response: SavedRule,
  }),
  removeRule: endpoint({
    method: "DELETE",
    path: "/api/v1/guard/rules/{id}",
    summary: "Remove a rule",
    headers: ["If-Match"],
    permission: "guard:write",
    params,
    response: Empty,
  }),
  orderRules: endpoint({
    method: "POST",
    path: "/api/v1/guard/rules/order",
    summary: "Set the order of the rules: the first id is tried first",
    permission: "guard:write",
    body: z.strictObject({
      ids: z.array(Id).min(1).max(1_000),
      from: z
        .array(Id)
        .max(1_000)
        .optional()
        .describe("The order that was seen before: when it is another one by now, nothing is changed (412)."),
    }),
    response: listOf(ListedRule),
  }),
  previewRule: endpoint({
    method: "POST",
    path: "/api/v1/guard/rules/preview",
    summary: "What a rule would have done to the last calls; saves nothing",
    permission: "guard:read",
    /** `id`: the saved rule that this draft would replace. */
    body: z.strictObject({
      rule: GuardRuleDraft.extend({ name: z.string().max(120).default("") }),
      id: Id.nullable().default(null),
      last: z.number().int().min(1).max(200).default(50),
    }),
    response: RulePreview,
  }),
  startFromCall: endpoint({
    method: "GET",
    path: "/api/v1/guard/rules/start",
    summary: "What a rule about calls like a recorded one begins with: its tool and a closed pattern",
    permission: "guard:read",
    query: z.object({ callId: Id }),
    response: RuleStart,
  }),
  evaluate: endpoint({
    method: "POST",
    path: "/api/v1/guard/evaluate",
    summary: "Decide a call without running anything",
    permission: "guard:read",
    body: z
      .strictObject({ tool: z.string().min(1).max(200), arguments: JsonObject, context: EvaluatedContext.optional() })
      .meta({ examples: [{ tool: "shell_execute", arguments: { command: "ls -la" } }] }),
    modelTexts: ["arguments"],
    response: Evaluation,
  }),
  listVersions: endpoint({
    method: "GET",
    path: "/api/v1/guard/versions",
    summary: "Versions of the policy, newest first",
    permission: "guard:read",
    query: z.object(pageQuery),
    response: listOf(GuardVersion),
  }),
  restoreVersion: endpoint({
    method: "POST",
    path: "/api/v1/guard/versions/{version}/restore",
    summary: "Make an earlier version the current policy, as a new version",
    headers: ["If-Match"],
    permission: "guard:write",
    params: z.object({ version: z.coerce.number().int().min(1).max(2_147_483_647) }),
    response: GuardConfig,
  }),
};

export const guardContract = defineContract({
  reference: { name: "Guard", description: "The policy: rules, default, versions, and what it would decide." },
  glossary: {
    capability: "A part of the outside world that a tool declares it needs: `files`, `shell`, `http` and others.",
    decision: "A verdict with its reason, findings and trace.",
    "default policy": "The verdict on calls that no rule matches: `by_effect`, `allow`, `require_approval` or `deny`.",
    denial: "A refusal by the guard; the model reads the reason and the turn continues.",
    detector: "A built-in recogniser of one danger; it reports findings.",
    "effect of a call": "One thing that a call does to one target, such as writing a path or connecting to a host.",
    finding: "A danger that a detector recognised in a call, with its severity.",
    guard: "The pure function that decides calls from the floor, the detectors, the rules and the default policy.",
    "guard rule": "A line of policy: a tool pattern, conditions and a verdict; the first match decides.",
    "hard floor": "The fixed list of catastrophes that no rule and no approval can allow.",
    place: "The location of a target: `inside` (the conversation's folder and the sandbox), `outside` or `not_known`.",
    "primary argument": "The argument that a rule's pattern is matched against when the rule names no parameter.",
    relaxation: "The permission of a rule to overlook named detectors.",
    severity: "The weight of a finding: `critical`, `high`, `medium`, `low` or `info`.",
    target: "The path, host, program or table that an effect acts on.",
    trace: "The ordered steps of a decision: every rule that was tried, with its result.",
    verdict: "The answer of the guard: `allow`, `deny` or `require_approval`.",
  },
  endpoints: guardEndpoints,
  permissions: { "guard:read": "Read guard rules and try calls against them", "guard:write": "Change guard rules and the default policy" },
  roles: { approver: ["guard:read"], viewer: ["guard:read"] },
  implies: { "guard:write": ["guard:read"] },
  audit: {
    "guard_config.updated": "Guard updated",
    "guard_rule.created": "Rule created",
    "guard_rule.updated": "Rule updated",
    "guard_rule.removed": "Rule removed",
    "guard_rules.reordered": "Guard rules reordered",
    "guard_rules.imported": "Guard rules imported",
    "guard_version.restored": "Guard version restored",
    "guard_policy_file.changed": "Guard policy file changed",
  },
  navigation: { label: "Guard", path: "/guard", icon: "IconShieldCheck", key: "p", group: "rules", after: "/schedules" },
});
