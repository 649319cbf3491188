import type { Verdict } from "@/contracts/decision";
import { type GuardRule, GuardRuleDraft } from "@/contracts/guard";
import { Comparison, RuleContext } from "@/contracts/rule-conditions";
import { type ComparisonForm, comparisonFormOf, comparisonOf } from "./comparison-form";
import { type ContextForm, contextFormOf, contextOf, emptyContext } from "./context-form";
import type { describeRule } from "./describe-rule";

/** A rule as its form holds it: empty fields are empty texts, and the day of expiry is one of the browser's own time zone. */
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
  /** For a new rule with a pattern: what happens to the tool's other calls. */
  otherwise: "next" | "require_approval" | "deny";
};

const highestPriority = 1_000_000;
const lowestPriority = -1_000_000;
/** Room for rules between this one and the next. */
const priorityStep = 10;

/** What the form starts from for a new rule: tried before all others. */
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
    otherwise: "next",
  };
}

/** A priority above every rule there is. */
export function topPriority(rules: readonly Pick<GuardRule, "priority">[]): number {
  return Math.min(highestPriority, Math.max(0, ...rules.map(({ priority }) => priority)) + priorityStep);
}

export function formOf(rule: GuardRule): RuleForm {
  const { parameter, pattern, excludePattern, comparisons, context, ...asItIs } = draftOf(rule);
  return {
    ...asItIs,
    parameter: parameter ?? "",
    pattern: pattern ?? "",
    excludePattern: excludePattern ?? "",
    comparisons: comparisons.map(comparisonFormOf),
    context: contextFormOf(context),
    otherwise: "next",
  };
}

/** The part of a saved rule that is sent back when it is saved again. */
export function draftOf({
  id: _id,
  source: _source,
  version: _version,
  createdAt: _made,
  updatedAt: _saved,
  ...draft
}: GuardRule): GuardRuleDraft {
  return draft;
}

/** By the path of the field: `name`, `comparisons.0.value`, `context.time`. */
type FormErrors = Record<string, string>;

export type ParsedForm = { draft: GuardRuleDraft; errors: null } | { draft: null; errors: FormErrors };

/** The rule that a form stands for, or what is wrong with each field. */
export function parseForm(form: RuleForm): ParsedForm {
  const parsed = GuardRuleDraft.safeParse(written(form));
  if (parsed.success) return { draft: parsed.data, errors: null };
  const errors: FormErrors = {};
  for (const { path, message } of parsed.error.issues) {
    const [field, place, part] = path;
    if (typeof field !== "string" || !(field in form)) continue;
    // A comparison and a part of the context have fields of their own; a member of a list has not.
    if (field === "comparisons" && typeof place === "number")
      errors[`comparisons.${place}.${part === "parameter" ? part : "value"}`] ??= message;
    else if (field === "context" && typeof place === "string") errors[`context.${place}`] ??= message;
    else errors[field] ??= message;
  }
  if (form.name.trim() === "") errors.name = "Give the rule a name";
  if (form.tool.trim() === "") errors.tool = "Choose a tool, or a pattern of tools";
  return { draft: null, errors };
}

/** The rule as far as it can be put into words while it is written: a comparison that is not one yet is left out. */
export function describable(form: RuleForm): Parameters<typeof describeRule>[0] {
  const context = RuleContext.safeParse(contextOf(form.context));
  return {
    tool: form.tool,
    verdict: form.verdict,
    parameter: form.parameter.trim() || null,
    pattern: form.pattern || null,
    excludePattern: form.excludePattern || null,
    comparisons: form.comparisons.flatMap((fields) => {
      const parsed = Comparison.safeParse(comparisonOf(fields));
      return parsed.success ? [parsed.data] : [];
    }),
    context: context.success ? context.data : null,
    relaxes: form.relaxes,
  };
}

/** The rule as far as it is written, for trying it out; null while there is no tool. A name is not needed for that. */
export function previewable(form: RuleForm): GuardRuleDraft | null {
  const { draft } = parseForm({ ...form, name: form.name.trim() || "New rule" });
  // What does not change the outcome is left out, so that typing a reason asks nothing anew.
  return draft && { ...draft, name: "New rule", reason: "", expiresAt: null };
}

/** The rule about everything else of the same tool, tried right after; null when the next rules decide that. */
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
    priority: Math.max(lowestPriority, draft.priority - 1),
    reason: "",
  };
}

/** Whether a rule asks anything of the arguments, so that there are other calls of its tool. */
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
    // A pattern is taken as it is typed: a space in it means a space.
    pattern: form.pattern === "" ? null : form.pattern,
    excludePattern: form.excludePattern === "" ? null : form.excludePattern,
    comparisons: form.comparisons.map(comparisonOf),
    context: contextOf(form.context),
  };
}
