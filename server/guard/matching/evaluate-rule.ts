import type { TraceStep } from "@/contracts/decisions/decision";
import type { CallAction } from "@/contracts/guard/rule-subjects";
import type { AnalyzedCall } from "../call/analyzed-call";
import { type PatternSubject, patternSubjects } from "../call/pattern-subject";
import type { TextHints } from "../call/text-hints";
import { capital } from "../excerpt";
import type { ArgumentPattern, CompiledPattern, PatternError } from "./argument-pattern";
import { commandsAt } from "./commands-at";
import { compareArguments } from "./compare-arguments";
import type { CompiledRule } from "./compile-rule";
import { findException, findPattern } from "./patterns-in-commands";
import type { RuleResult } from "./rule-result";
import { actionHolds } from "./rules-of-actions";
import { no, type Ternary, testEachValue, unknown, yes } from "./ternary";

/**
 * Evaluates a rule that covers the call's tool. Fails closed: when in doubt, an allow rule does not match and any other
 * rule does.
 * @param now milliseconds since 1970
 */
export function evaluateRule(rule: CompiledRule, call: AnalyzedCall, now: number): RuleResult {
  const { holds, why } = certainly(ruleHolds, rule, call, now);
  if (holds === true) return { result: "matched", why, decides: true };
  if (holds === false) return { result: "not_matched", why, decides: false };
  const consequence =
    rule.verdict === "allow" ? "A rule that allows does not match then." : "A rule that denies or asks counts as matching then.";
  return { result: "could_not_evaluate", why: () => `${why()} ${consequence}`, decides: rule.verdict !== "allow" };
}

/** Builds the trace step that records a rule's result. */
export function toTraceStep({ id, name }: CompiledRule, { result, why }: RuleResult): TraceStep {
  return { ruleId: id, ruleName: name, result, why: why() };
}

/** Combines a rule's conditions. One condition that fails makes the rule not match, even when other conditions are unknown. */
function ruleHolds(rule: CompiledRule, call: AnalyzedCall, now: number): Ternary {
  if (rule.context === null && rule.comparisons.length === 0) return patternsHold(rule, call);
  const asked: Ternary[] = [];
  if (rule.context) {
    const fits = rule.context(call.context, now);
    if (fits.holds === false) return fits;
    if (fits.holds === "unknown") asked.push(fits);
  }
  for (const comparison of rule.comparisons) {
    const compared = compareArguments(comparison, call.arguments, rule.verdict);
    if (compared.holds === false) return compared;
    asked.push(compared);
  }
  const found = certainly(patternsHold, rule, call, now);
  if (found.holds === false || asked.length === 0) return found;
  const says = (parts: readonly Ternary[]) => () => parts.map(({ why }) => why()).join(" ");
  const unclear = [...asked, found].filter(({ holds }) => holds === "unknown");
  if (unclear.length > 0) return unknown(says(unclear));
  return yes(says(rule.pattern() || rule.exclude() ? [...asked, found] : asked));
}

/** Turns an error into "unknown", because no text of a model may bypass a rule by being too much to evaluate. */
function certainly(look: typeof ruleHolds, rule: CompiledRule, call: AnalyzedCall, now: number): Ternary {
  try {
    return look(rule, call, now);
  } catch (error) {
    return unknown(() => `It could not be looked at: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function patternsHold(rule: CompiledRule, call: AnalyzedCall): Ternary {
  const pattern = rule.pattern();
  const exclude = rule.exclude();
  const action = actionOfRule(rule, call.tool.name);
  if (action) {
    if (pattern?.ok === false) return unknown(notValid("pattern", pattern.error));
    if (exclude?.ok === false) return unknown(notValid("exception", exclude.error));
    return actionHolds(rule, action, call, { wanted: pattern?.pattern ?? null, excepted: exclude?.pattern ?? null });
  }
  return pattern || exclude ? findPatterns(rule, call, pattern, exclude) : yes(matchesEvery(call.tool.name));
}

/** Returns the action by which a rule is tried on calls of a tool; null when the rule looks at the tool's arguments. */
export function actionOfRule({ action, holdsElsewhere, tool }: CompiledRule, toolName: string): CallAction | null {
  return action ?? (holdsElsewhere && tool !== toolName ? "runs_commands" : null);
}

// Hoisted on purpose: a closure created inside would be allocated on every call.
const matchesEvery = (tool: string) => () => `Matches every ${tool} call.`;
const nothingToMatch = (missing: string) => () => `${capital(missing)} that the pattern could be tried on.`;
const notValid =
  (what: string, { message }: PatternError) =>
  () =>
    `The ${what} is not valid: ${message}`;
const onlyExcept = () => "The rule has no pattern but an exception.";

function findPatterns(rule: CompiledRule, call: AnalyzedCall, pattern: CompiledPattern | null, exclude: CompiledPattern | null): Ternary {
  const seen = patternSubjects(call, rule.parameter, { isAllow: rule.verdict === "allow" });
  if ("missing" in seen) return unknown(nothingToMatch(seen.missing));
  if (pattern?.ok === false) return unknown(notValid("pattern", pattern.error));
  const wanted = pattern ? pattern.pattern : null;
  const [first] = seen.texts;
  if (first && seen.texts.length === 1) return findIn(first, rule, call, wanted, exclude);
  return findInAll(seen.texts, rule, call, wanted, exclude);
}

function findInAll(
  texts: readonly PatternSubject[],
  rule: CompiledRule,
  call: AnalyzedCall,
  wanted: ArgumentPattern | null,
  exclude: CompiledPattern | null,
): Ternary {
  return testEachValue(texts, {
    every: rule.verdict === "allow",
    none: () => `There is nothing at \`${rule.parameter}\`.`,
    test: (text) => findIn(text, rule, call, wanted, exclude),
  });
}

function findIn(
  { text, path }: PatternSubject,
  { verdict }: CompiledRule,
  call: AnalyzedCall,
  wanted: ArgumentPattern | null,
  exclude: CompiledPattern | null,
): Ternary {
  const seen = { text, hints: knownHints(call, text), commandsAt: commandsAt(call, path) };
  const found = wanted ? findPattern(verdict, wanted, seen) : yes(onlyExcept);
  if (found.holds === false || exclude === null) return found;
  if (!exclude.ok) return unknown(notValid("exception", exclude.error));
  const excepted = findException(verdict, exclude.pattern, seen);
  return excepted.holds === true ? no(excepted.why) : excepted.holds === "unknown" ? excepted : found;
}

/** Beyond this number of texts the hints are not looked up, because the linear search would run for every text. */
const fewTexts = 8;

/** Returns the hints computed when the call was analyzed; undefined when a look-up would be slow. */
function knownHints({ texts }: AnalyzedCall, text: string): TextHints | undefined {
  if (texts.length > fewTexts) return undefined;
  for (const known of texts) if (known.text === text) return known.hints;
  return undefined;
}
