import { RuleApprovers } from "@/contracts/decisions/approvers";
import type { Verdict } from "@/contracts/decisions/decision";
import { type GuardRule, GuardRuleDraft } from "@/contracts/guard/guard";
import { Comparison, RuleContext } from "@/contracts/guard/rule-conditions";
import type { describeRule } from "../words/describe-rule";
import { type ApproversForm, noApprovers, toApprovers, toApproversForm } from "./approvers-form";
import { type ComparisonForm, toComparison, toComparisonForm } from "./comparison-form";
import { type ContextForm, emptyContext, toContextForm, toRuleContext } from "./context-form";
import { draftOf } from "./draft-of-rule";

/** A rule as form values: empty fields are empty texts, and the expiry is in the browser's time zone. */
export type RuleForm = {
  name: string;
  tool: string;
  parameter: string;
  pattern: string;
  excludePattern: string;
  comparisons: ComparisonForm[];
  context: ContextForm;
  verdict: Verdict;
  reason: string;
  priority: number;
  enabled: boolean;
  expiresAt: string | null;
  /** Ids of detectors. */
  relaxes: string[];
  approvers: ApproversForm;
  /** For a new rule with a pattern: the verdict on the tool's other calls. */
  otherwise: "next" | "require_approval" | "deny";
};

export const maxPriority = 1_000_000;
const lowestPriority = -1_000_000;
/** Gap between priorities, so that rules fit between. */
const priorityStep = 10;

/** Returns the initial values for a new rule, which is tried before all others. */
export function emptyForm(rules: readonly GuardRule[]): RuleForm {
  return {
    name: "",
    tool: "",
    parameter: "",
    pattern: "",
    excludePattern: "",
    comparisons: [],
    context: emptyContext,
    verdict: "require_approval",
    reason: "",
    priority: topPriority(rules),
    enabled: true,
    expiresAt: null,
    relaxes: [],
    approvers: noApprovers,
    otherwise: "next",
  };
}

/** Returns a priority above all rules. */
export function topPriority(rules: readonly Pick<GuardRule, "priority">[]): number {
  return Math.min(maxPriority, Math.max(0, ...rules.map(({ priority }) => priority)) + priorityStep);
}

export function toRuleForm(rule: GuardRule): RuleForm {
  const { parameter, pattern, excludePattern, comparisons, context, approvers, ...asItIs } = draftOf(rule);
  return {
    ...asItIs,
    parameter: parameter ?? "",
    pattern: pattern ?? "",
    excludePattern: excludePattern ?? "",
    comparisons: comparisons.map(toComparisonForm),
    context: toContextForm(context),
    approvers: toApproversForm(approvers),
    otherwise: "next",
  };
}

/** Errors by field path: `name`, `comparisons.0.value`, `context.time`. */
type FormErrors = Record<string, string>;

export type ParsedForm = { draft: GuardRuleDraft; errors: null } | { draft: null; errors: FormErrors };

/** Parses a form into a rule, or into an error per field. */
export function parseForm(form: RuleForm): ParsedForm {
  const parsed = GuardRuleDraft.safeParse(written(form));
  if (parsed.success) return { draft: parsed.data, errors: null };
  const errors: FormErrors = {};
  for (const { path, message } of parsed.error.issues) {
    const [field, place, part] = path;
    if (typeof field !== "string" || !(field in form)) continue;
    // Comparisons and parts of the context have their own fields; members of other lists do not.
    if (field === "comparisons" && typeof place === "number")
      errors[`comparisons.${place}.${part === "parameter" ? part : "value"}`] ??= message;
    else if (field === "context" && typeof place === "string") errors[`context.${place}`] ??= message;
    else if (field === "approvers" && typeof place === "string") errors[`approvers.${place}`] ??= message;
    else errors[field] ??= message;
  }
  if (form.name.trim() === "") errors.name = "Give the rule a name";
  if (form.tool.trim() === "") errors.tool = "Choose a tool, or a pattern of tools";
  return { draft: null, errors };
}

/** Returns the part of an unfinished rule that can be described; incomplete comparisons are left out. */
export function describable(form: RuleForm): Parameters<typeof describeRule>[0] {
  const context = RuleContext.safeParse(toRuleContext(form.context));
  const approvers = RuleApprovers.nullable().safeParse(toApprovers(form.approvers, form.verdict));
  return {
    tool: form.tool,
    verdict: form.verdict,
    parameter: form.parameter.trim() || null,
    pattern: form.pattern || null,
    excludePattern: form.excludePattern || null,
    comparisons: form.comparisons.flatMap((fields) => {
      const parsed = Comparison.safeParse(toComparison(fields));
      return parsed.success ? [parsed.data] : [];
    }),
    context: context.success ? context.data : null,
    relaxes: form.relaxes,
    approvers: approvers.success ? approvers.data : null,
    expiresAt: form.expiresAt,
  };
}

/** Returns a draft for the preview of an unfinished rule; null without a tool. The preview needs no name. */
export function previewable(form: RuleForm): GuardRuleDraft | null {
  const { draft } = parseForm({ ...form, name: form.name.trim() || "New rule" });
  // Drops fields without influence on the outcome, so that typing a reason sends no new request.
  return draft && { ...draft, name: "New rule", reason: "", expiresAt: null };
}

/** Returns the rule for the tool's other calls, tried directly after; null when the next rules decide them. */
export function otherwiseDraft(form: RuleForm, draft: GuardRuleDraft): GuardRuleDraft | null {
  if (form.otherwise === "next" || !asksSomething(draft)) return null;
  return {
    ...draft,
    name: `${draft.name}: everything else`.slice(0, 120),
    parameter: null,
    pattern: null,
    excludePattern: null,
    comparisons: [],
    verdict: form.otherwise,
    relaxes: [],
    approvers: null,
    priority: Math.max(lowestPriority, draft.priority - 1),
    reason: "",
  };
}

/** Returns whether a rule has conditions on arguments, so that the tool has other calls. */
export function asksSomething({
  pattern,
  excludePattern,
  comparisons,
}: Pick<GuardRuleDraft, "pattern" | "excludePattern" | "comparisons">): boolean {
  return pattern !== null || excludePattern !== null || comparisons.length > 0;
}

function written({ otherwise: _otherwise, ...form }: RuleForm) {
  return {
    ...form,
    parameter: form.parameter.trim() === "" ? null : form.parameter,
    // Not trimmed, because a space in a pattern is significant.
    pattern: form.pattern === "" ? null : form.pattern,
    excludePattern: form.excludePattern === "" ? null : form.excludePattern,
    comparisons: form.comparisons.map(toComparison),
    context: toRuleContext(form.context),
    approvers: toApprovers(form.approvers, form.verdict),
  };
}
