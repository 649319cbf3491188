import type { TraceStep } from "@/contracts/decision";
import { messageOf } from "@/server/platform/errors";
import type { CallOnTrial } from "../call-on-trial";
import type { CompiledRule } from "../compile-policy";
import type { FirstLook } from "../first-look";
import { type SeenText, seenTexts } from "../seen-text";
import { unsafeShapeIn } from "../shell/unsafe-shapes";
import type { ArgumentPattern, CompiledPattern, PatternError } from "./argument-pattern";
import { commandsAt } from "./commands-at";
import { compareArguments } from "./compare-arguments";
import { type Holds, holdsFor, no, unknown, yes } from "./holds";
import { findException, findPattern } from "./patterns-in-commands";
import type { Tried } from "./tried";

/**
 * Tries a rule that covers the call's tool. Fails closed: in doubt, a rule that allows does not match and others do.
 * @param now milliseconds since 1970
 */
export function tryRule(rule: CompiledRule, call: CallOnTrial, now: number): Tried {
  const { holds, why } = certainly(ruleHolds, rule, call, now);
  if (holds === true) return { result: "matched", why, decides: true };
  if (holds === false) return { result: "not_matched", why, decides: false };
  const consequence =
    rule.verdict === "allow" ? "A rule that allows does not match then." : "A rule that denies or asks counts as matching then.";
  return { result: "could_not_evaluate", why: () => `${why()} ${consequence}`, decides: rule.verdict !== "allow" };
}

/** The step of a trace that says what came of a rule. */
export function stepOf({ id, name }: CompiledRule, { result, why }: Tried): TraceStep {
  return { ruleId: id, ruleName: name, result, why: why() };
}

/** Everything that a rule asks for must hold: what does not makes it not match, whatever cannot be known of the rest. */
function ruleHolds(rule: CompiledRule, call: CallOnTrial, now: number): Holds {
  if (rule.context === null && rule.comparisons.length === 0) return patternsHold(rule, call);
  const asked: Holds[] = [];
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
  const says = (parts: readonly Holds[]) => () => parts.map(({ why }) => why()).join(" ");
  const unclear = [...asked, found].filter(({ holds }) => holds === "unknown");
  if (unclear.length > 0) return unknown(says(unclear));
  return yes(says(rule.pattern() || rule.exclude() ? [...asked, found] : asked));
}

/** What breaks while it is looked at is not known; no text of a model gets past a rule by being too much for it. */
function certainly(look: typeof ruleHolds, rule: CompiledRule, call: CallOnTrial, now: number): Holds {
  try {
    return look(rule, call, now);
  } catch (error) {
    return unknown(() => `It could not be looked at: ${messageOf(error)}.`);
  }
}

function patternsHold(rule: CompiledRule, call: CallOnTrial): Holds {
  const pattern = rule.pattern();
  const exclude = rule.exclude();
  const found = pattern || exclude ? findPatterns(rule, call, pattern, exclude) : yes(matchesEvery(call.tool.name));
  if (found.holds !== true || rule.verdict !== "allow") return found;
  for (const script of call.scripts) {
    const unsafe = unsafeShapeIn(script);
    if (unsafe) return no(notEnough(unsafe));
  }
  return found;
}

// Functions that make functions stand by themselves: whoever holds both pays for the second on every call.
const matchesEvery = (tool: string) => () => `The rule has no pattern: it matches every call of ${tool}.`;
const notEnough = (unsafe: string) => () => `An allow rule alone is not enough: ${unsafe}.`;
const nothingToTry = (missing: string) => () => `${capital(missing)} that the pattern could be tried on.`;
const notValid =
  (what: string, { message }: PatternError) =>
  () =>
    `The ${what} is not valid: ${message}`;
const onlyExcept = () => "The rule has no pattern but an exception.";

function findPatterns(rule: CompiledRule, call: CallOnTrial, pattern: CompiledPattern | null, exclude: CompiledPattern | null): Holds {
  const seen = seenTexts(call, rule.parameter);
  if ("missing" in seen) return unknown(nothingToTry(seen.missing));
  if (pattern?.ok === false) return unknown(notValid("pattern", pattern.error));
  const wanted = pattern ? pattern.pattern : null;
  const [first] = seen.texts;
  if (first && seen.texts.length === 1) return findIn(first, rule, call, wanted, exclude);
  return findInAll(seen.texts, rule, call, wanted, exclude);
}

function findInAll(
  texts: readonly SeenText[],
  rule: CompiledRule,
  call: CallOnTrial,
  wanted: ArgumentPattern | null,
  exclude: CompiledPattern | null,
): Holds {
  return holdsFor(texts, {
    every: rule.verdict === "allow",
    none: () => `There is nothing at \`${rule.parameter}\`.`,
    test: (text) => findIn(text, rule, call, wanted, exclude),
  });
}

function findIn(
  { text, path }: SeenText,
  { verdict }: CompiledRule,
  call: CallOnTrial,
  wanted: ArgumentPattern | null,
  exclude: CompiledPattern | null,
): Holds {
  const seen = { text, look: knownLook(call, text), commandsAt: commandsAt(call, path) };
  const found = wanted ? findPattern(verdict, wanted, seen) : yes(onlyExcept);
  if (found.holds === false || exclude === null) return found;
  if (!exclude.ok) return unknown(notValid("exception", exclude.error));
  const excepted = findException(verdict, exclude.pattern, seen);
  return excepted.holds === true ? no(excepted.why) : excepted.holds === "unknown" ? excepted : found;
}

/** A call of more texts is not searched for one of them: it would be searched for each. */
const fewTexts = 8;

/** What was seen of a text when its call was read; nothing where that is not quickly found. */
function knownLook({ texts }: CallOnTrial, text: string): FirstLook | undefined {
  if (texts.length > fewTexts) return undefined;
  for (const known of texts) if (known.text === text) return known.look;
  return undefined;
}

function capital(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}
