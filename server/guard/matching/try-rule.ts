import type { TraceStep } from "@/contracts/decision";
import { messageOf } from "@/server/platform/errors";
import type { CallOnTrial } from "../call-on-trial";
import type { CompiledRule } from "../compile-policy";
import { seenTexts } from "../seen-text";
import { unsafeShapeIn } from "../shell/unsafe-shapes";
import type { CompiledPattern } from "./argument-pattern";
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
  const { holds, why } = certainly(() => ruleHolds(rule, call, now));
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
  const found = certainly(() => patternsHold(rule, call));
  if (found.holds === false || asked.length === 0) return found;
  const says = (parts: readonly Holds[]) => () => parts.map(({ why }) => why()).join(" ");
  const unclear = [...asked, found].filter(({ holds }) => holds === "unknown");
  if (unclear.length > 0) return unknown(says(unclear));
  return yes(says(rule.pattern() || rule.exclude() ? [...asked, found] : asked));
}

/** What breaks while it is looked at is not known; no text of a model gets past a rule by being too much for it. */
function certainly(look: () => Holds): Holds {
  try {
    return look();
  } catch (error) {
    return unknown(() => `It could not be looked at: ${messageOf(error)}.`);
  }
}

function patternsHold(rule: CompiledRule, call: CallOnTrial): Holds {
  const pattern = rule.pattern();
  const exclude = rule.exclude();
  const found =
    pattern || exclude
      ? findPatterns(rule, call, pattern, exclude)
      : yes(() => `The rule has no pattern: it matches every call of ${call.tool.name}.`);
  if (found.holds !== true || rule.verdict !== "allow") return found;
  for (const script of call.scripts) {
    const unsafe = unsafeShapeIn(script);
    if (unsafe) return no(() => `An allow rule alone is not enough: ${unsafe}.`);
  }
  return found;
}

function findPatterns(rule: CompiledRule, call: CallOnTrial, pattern: CompiledPattern | null, exclude: CompiledPattern | null): Holds {
  const seen = seenTexts(call, rule.parameter);
  if ("missing" in seen) return unknown(() => `${capital(seen.missing)} that the pattern could be tried on.`);
  if (pattern?.ok === false) return unknown(() => `The pattern is not valid: ${pattern.error.message}`);
  const wanted = pattern ? pattern.pattern : null;
  return holdsFor(seen.texts, {
    every: rule.verdict === "allow",
    none: () => `There is nothing at \`${rule.parameter}\`.`,
    test: ({ text, path }) => {
      const seen = { text, commandsAt: commandsAt(call, path) };
      const found = wanted ? findPattern(rule.verdict, wanted, seen) : yes(() => "The rule has no pattern but an exception.");
      if (found.holds === false || exclude === null) return found;
      if (!exclude.ok) return unknown(() => `The exception is not valid: ${exclude.error.message}`);
      const excepted = findException(rule.verdict, exclude.pattern, seen);
      return excepted.holds === true ? no(excepted.why) : excepted.holds === "unknown" ? excepted : found;
    },
  });
}

function capital(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}
