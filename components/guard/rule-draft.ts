import { type GuardRule, GuardRuleDraft, type Verdict } from "@/contracts/guard";

/** A rule as its form holds it: empty fields are empty texts, and the day of expiry is one of the browser's own time zone. */
export type RuleForm = {
  name: string;
  tool: string;
  parameter: string;
  pattern: string;
  verdict: Verdict;
  reason: string;
  priority: number;
  enabled: boolean;
  expiresAt: string | null;
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
    verdict: "require_approval",
    reason: "",
    priority: topPriority(rules),
    enabled: true,
    expiresAt: null,
    otherwise: "next",
  };
}

/** A priority above every rule there is. */
export function topPriority(rules: readonly Pick<GuardRule, "priority">[]): number {
  return Math.min(highestPriority, Math.max(0, ...rules.map(({ priority }) => priority)) + priorityStep);
}

export function formOf({ name, tool, parameter, pattern, verdict, reason, priority, enabled, expiresAt }: GuardRule): RuleForm {
  return {
    name,
    tool,
    parameter: parameter ?? "",
    pattern: pattern ?? "",
    verdict,
    reason,
    priority,
    enabled,
    expiresAt,
    otherwise: "next",
  };
}

/** The part of a saved rule that is sent back when it is saved again. */
export function draftOf({ name, tool, parameter, pattern, verdict, reason, priority, enabled, expiresAt }: GuardRule): GuardRuleDraft {
  return { name, tool, parameter, pattern, verdict, reason, priority, enabled, expiresAt };
}

export type ParsedForm = { draft: GuardRuleDraft; errors: null } | { draft: null; errors: Partial<Record<keyof RuleForm, string>> };

/** The rule that a form stands for, or what is wrong with each field. */
export function parseForm(form: RuleForm): ParsedForm {
  const parsed = GuardRuleDraft.safeParse(written(form));
  if (parsed.success) return { draft: parsed.data, errors: null };
  const errors: Partial<Record<keyof RuleForm, string>> = {};
  for (const { path, message } of parsed.error.issues) {
    const [field] = path;
    if (typeof field === "string" && field in form) errors[field as keyof RuleForm] ??= message;
  }
  if (form.name.trim() === "") errors.name = "Give the rule a name";
  if (form.tool.trim() === "") errors.tool = "Choose a tool, or a pattern of tools";
  return { draft: null, errors };
}

/** The rule as far as it is written, for trying it out; null while there is no tool. A name is not needed for that. */
export function previewable(form: RuleForm): GuardRuleDraft | null {
  const { draft } = parseForm({ ...form, name: form.name.trim() || "New rule" });
  // What does not change the outcome is left out, so that typing a reason asks nothing anew.
  return draft && { ...draft, name: "New rule", reason: "", expiresAt: null };
}

/** The rule about everything else of the same tool, tried right after; null when the next rules decide that. */
export function otherwiseDraft(form: RuleForm, draft: GuardRuleDraft): GuardRuleDraft | null {
  if (form.otherwise === "next" || draft.pattern === null) return null;
  return {
    ...draft,
    name: `${draft.name}: everything else`.slice(0, 120),
    parameter: null,
    pattern: null,
    verdict: form.otherwise,
    priority: Math.max(lowestPriority, draft.priority - 1),
    reason: "",
  };
}

function written({ otherwise: _otherwise, ...form }: RuleForm) {
  return {
    ...form,
    parameter: form.parameter.trim() === "" ? null : form.parameter,
    // A pattern is taken as it is typed: a space in it means a space.
    pattern: form.pattern === "" ? null : form.pattern,
  };
}
