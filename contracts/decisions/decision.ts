import { z } from "zod";
import { RuleApprovers } from "./approvers";
import { Effect } from "./effects";

export const verdicts = ["allow", "deny", "require_approval"] as const;
export const Verdict = z.enum(verdicts);
export type Verdict = z.infer<typeof Verdict>;

export const severities = ["critical", "high", "medium", "low", "info"] as const;
export const traceResults = ["matched", "not_matched", "could_not_evaluate"] as const;

/** A danger that a detector recognised in a call, independent of the rules. */
export const Finding = z
  .object({
    detector: z.string(),
    severity: z.enum(severities),
    verdict: Verdict,
    message: z.string().describe("One sentence for people and the model."),
    excerpt: z.string().describe("The masked piece of the arguments that was recognised."),
    explanation: z.string().default("").describe("Why such a thing is dangerous."),
    fix: z.string().default("").describe("What to do instead."),
    relaxedBy: z
      .string()
      .optional()
      .describe("The rule that relaxes the detector for this call: the finding is noted, and decides nothing."),
  })
  .meta({ id: "Finding" });
export type Finding = z.infer<typeof Finding>;

export const TraceStep = z
  .object({
    ruleId: z.string(),
    ruleName: z.string(),
    result: z.enum(traceResults),
    why: z.string().describe('Why, in words: "the command is `rm x`; the pattern wants it to start with ls".'),
  })
  .meta({ id: "TraceStep" });
export type TraceStep = z.infer<typeof TraceStep>;

/** The surroundings of a call that leaves the sandbox. */
export const RunsOutside = z.object({
  user: z.string().nullable().describe("The user of the machine as whom it runs."),
  home: z.string().nullable().describe("The HOME folder that an admin filled for such calls; null while it is empty."),
});

export type RunsOutside = z.infer<typeof RunsOutside>;

/** A verdict with the reason, findings and trace that led to it. */
export const Decision = z
  .object({
    verdict: Verdict,
    reason: z.string(),
    ruleId: z.string().nullable(),
    ruleDigest: z
      .string()
      .nullable()
      .describe("Hash of the deciding rule's content: an approval given under it holds while it is the same."),
    findings: z.array(Finding),
    effects: z.array(Effect).optional().describe("What the call does to what, as far as its arguments say; the most serious first."),
    sandboxed: z
      .boolean()
      .optional()
      .describe("Programs of calls run in the sandbox here; where `runsOutside` stands, this call's do not."),
    runsOutside: RunsOutside.optional().describe("The whole call runs outside the sandbox, though there is one."),
    split: z
      .array(z.string())
      .optional()
      .describe("The call has to be split: the commands that need the machine, each to be sent as a call of its own. Nothing was refused."),
    unconfirmedServerId: z
      .string()
      .optional()
      .describe("The MCP server whose tool asks only because nobody has confirmed what it does; its page proposes the effects."),
    trace: z.array(TraceStep),
    policyVersion: z.number().int(),
    actionHash: z
      .string()
      .optional()
      .describe(
        "SHA-256 over tool, arguments, the tool's schema, agent and version of the policy: call, approval and audit events of one action share it.",
      ),
    policyFile: z
      .string()
      .optional()
      .describe("Beginning of the digest of the policy file's rules that were in force, where there is a file."),
    approvers: RuleApprovers.optional().describe("Who decides, where the rule that asks says it."),
    grantId: z.string().optional().describe("The grant that let the call pass where a person would have been asked."),
  })
  .meta({ id: "Decision" });
export type Decision = z.infer<typeof Decision>;
