import type { Verdict } from "@/contracts/decisions/decision";
import type { GuardRuleDraft } from "@/contracts/guard/guard";
import { type ApproverNames, askingPhrase, escalationPhrases, expiryPhrases, noApproverNames } from "./describe-approvers";
import { comparisonPhrases, contextPhrases } from "./describe-conditions";
import { describePattern } from "./describe-pattern";
import type { Phrase } from "./phrase";

type Described = Pick<GuardRuleDraft, "tool" | "parameter" | "pattern" | "verdict"> &
  Partial<Pick<GuardRuleDraft, "excludePattern" | "comparisons" | "context" | "relaxes" | "approvers" | "expiresAt">>;

const opening: Record<Exclude<Verdict, "require_approval">, string> = { allow: "Allow ", deny: "Deny " };

const effectWords: Record<string, string> = {
  read: "every tool that only reads",
  write: "every tool that writes",
  destroy: "every tool that can destroy",
};
const sourceWords: Record<string, string> = {
  builtin: "every built-in tool",
  mcp: "every tool of an MCP server",
  http: "every custom HTTP tool",
  skill: "every skill",
};

/**
 * Describes a rule in one sentence: "Allow shell_execute when command starts with ls or cat", "Ask 2 of the admins or Ada
 * before shell_execute, after 30 min also an owner".
 * @param primaryArgument primary argument of the tool, for a rule without a parameter; null when unknown or for more
 * than one tool
 */
export function describeRule(rule: Described, primaryArgument: string | null, names: ApproverNames = noApproverNames): Phrase[] {
  // Only a question has approvers; other rules keep theirs for a later change of the verdict.
  const approvers = rule.verdict === "require_approval" ? (rule.approvers ?? null) : null;
  const start = rule.verdict === "require_approval" ? askingPhrase(approvers, names) : { text: opening[rule.verdict], machine: false };
  const phrases: Phrase[] = [start, ...toolPhrases(rule.tool)];
  const subject = subjectPhrases(rule.parameter, primaryArgument);
  const asked: Phrase[][] = (rule.comparisons ?? []).map(comparisonPhrases);
  if (rule.pattern !== null) asked.unshift([...subject, ...patternPhrases(rule.pattern)]);
  for (const [place, condition] of asked.entries()) {
    phrases.push({ text: place === 0 ? " when " : " and ", machine: false }, ...condition);
  }
  if (rule.excludePattern) {
    phrases.push({ text: ", except when ", machine: false });
    // "it" is clear only directly after the pattern.
    phrases.push(...(rule.pattern !== null && asked.length === 1 ? [{ text: "it", machine: false }] : subject));
    phrases.push(...patternPhrases(rule.excludePattern));
  }
  if (rule.context) phrases.push({ text: ",", machine: false }, ...contextPhrases(rule.context));
  if (rule.verdict !== "deny" && rule.relaxes && rule.relaxes.length > 0) phrases.push(...relaxPhrases(rule.relaxes));
  return [...phrases, ...escalationPhrases(approvers, names), ...expiryPhrases(rule.expiresAt ?? null)];
}

function relaxPhrases(ids: readonly string[]): Phrase[] {
  return [
    { text: ", whatever ", machine: false },
    ...ids.flatMap((id, place) => [
      ...(place === 0 ? [] : [{ text: place === ids.length - 1 ? " or " : ", ", machine: false }]),
      { text: id, machine: true },
    ]),
    { text: " finds", machine: false },
  ];
}

function patternPhrases(pattern: string): Phrase[] {
  const words = describePattern(pattern);
  if (words) return [{ text: ` ${words}`, machine: false }];
  return [
    { text: " matches ", machine: false },
    { text: pattern, machine: true },
  ];
}

function toolPhrases(tool: string): Phrase[] {
  if (tool === "*") return [{ text: "every tool", machine: false }];
  const kind = /^(source|effect|surface|needs):(.+)$/.exec(tool);
  if (kind) {
    const [, dimension = "", value = ""] = kind;
    const known = dimension === "effect" ? effectWords[value] : dimension === "source" ? sourceWords[value] : undefined;
    if (known) return [{ text: known, machine: false }];
    const words = dimension === "needs" ? "every tool that needs " : `every tool with ${dimension} `;
    return [
      { text: words, machine: false },
      { text: value, machine: true },
    ];
  }
  if (/[*?]/.test(tool)) {
    return [
      { text: "every tool named ", machine: false },
      { text: tool, machine: true },
    ];
  }
  return [{ text: tool, machine: true }];
}

function subjectPhrases(parameter: string | null, primaryArgument: string | null): Phrase[] {
  const named = parameter ?? primaryArgument;
  return named ? [{ text: named, machine: true }] : [{ text: "its main argument", machine: false }];
}

/** Returns the sentence as plain text, for labels and titles. */
export function writeRuleSentence(rule: Described, primaryArgument: string | null, names?: ApproverNames): string {
  return describeRule(rule, primaryArgument, names)
    .map(({ text }) => text)
    .join("");
}
