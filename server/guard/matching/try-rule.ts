import type { TraceStep } from "@/contracts/guard";
import { messageOf } from "@/server/platform/errors";
import type { AskedCall } from "../asked-call";
import type { CallOnTrial } from "../call-on-trial";
import type { CompiledRule } from "../compile-policy";
import { excerpt } from "../excerpt";
import { seenTexts } from "../seen-text";
import { whyNotAllowed } from "../shell/allow-shell";
import { findInShell } from "../shell/restrict-shell";
import type { ShellReading } from "../shell/running-commands";
import { unsafeShapeIn } from "../shell/unsafe-shapes";
import type { ArgumentPattern, CompiledPattern } from "./argument-pattern";
import { compareArguments } from "./compare-arguments";
import { type Holds, holdsFor, no, unknown, yes } from "./holds";
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

/** What a rule does to a call of another tool. */
export function notCovered(rule: CompiledRule, { tool }: AskedCall): Tried {
  const why = () => `The rule is for \`${rule.tool}\`, and the call is to \`${tool.name}\`.`;
  return { result: "not_matched", decides: false, why };
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
  const { shell, tool } = call;
  const found =
    pattern || exclude
      ? findPatterns(rule, call, pattern, exclude)
      : yes(() => `The rule has no pattern: it matches every call of ${tool.name}.`);
  if (found.holds !== true || rule.verdict !== "allow" || !shell) return found;
  const unsafe = unsafeShapeIn(shell);
  return unsafe ? no(() => `An allow rule alone is not enough: ${unsafe}.`) : found;
}

function findPatterns(rule: CompiledRule, call: CallOnTrial, pattern: CompiledPattern | null, exclude: CompiledPattern | null): Holds {
  const seen = seenTexts(call, rule.parameter);
  if ("missing" in seen) return unknown(() => `${capital(seen.missing)} that the pattern could be tried on.`);
  if (pattern?.ok === false) return unknown(() => `The pattern is not valid: ${pattern.error.message}`);
  const wanted = pattern ? pattern.pattern : null;
  const excluded = exclude?.ok ? exclude.pattern : null;
  const { shell } = call;
  return holdsFor(seen.texts, {
    every: rule.verdict === "allow",
    none: () => `There is nothing at \`${rule.parameter ?? ""}\`.`,
    test: ({ text, isPrimary }) => {
      const command = isPrimary ? shell : null;
      const found = command ? findInCommand(rule, wanted, command) : findInText(wanted, text);
      if (found.holds === false || exclude === null) return found;
      if (excluded === null) return unknown(() => `The exception is not valid: ${exclude.ok ? "" : exclude.error.message}`);
      const excepted = command ? exceptsCommand(rule, excluded, command) : exceptsText(excluded, text);
      return excepted.holds === true ? no(excepted.why) : excepted.holds === "unknown" ? excepted : found;
    },
  });
}

function findInText(pattern: ArgumentPattern | null, text: string): Holds {
  if (pattern === null) return yes(() => "The rule has no pattern but an exception.");
  return pattern.isFoundIn(text)
    ? yes(() => `The pattern is found in \`${excerpt(text)}\`.`)
    : no(() => `The pattern is not found in \`${excerpt(text)}\`.`);
}

function findInCommand({ verdict }: CompiledRule, pattern: ArgumentPattern | null, shell: ShellReading): Holds {
  if (pattern === null) return yes(() => "The rule has no pattern but an exception.");
  const { text, script } = shell;
  if (verdict === "allow") {
    const why = whyNotAllowed(pattern, shell);
    if (why) return no(() => why);
    const [only, ...others] = script.commands;
    return yes(() =>
      others.length > 0
        ? `All ${others.length + 1} commands match the pattern.`
        : `The command \`${excerpt(only?.text ?? text)}\` matches the pattern.`,
    );
  }
  const found = findInShell(pattern, shell);
  if (found.found === "unknown") return unknown(() => found.why);
  return found.found ? yes(() => found.why) : no(() => `The pattern is not found in \`${excerpt(text)}\`.`);
}

function exceptsText(exclude: ArgumentPattern, text: string): Holds {
  const excerpted = () => `\`${excerpt(text)}\``;
  return exclude.isFoundIn(text)
    ? yes(() => `The exception is found in ${excerpted()}.`)
    : no(() => `The exception is not found in ${excerpted()}.`);
}

/**
 * An exception always works against the rule. From a rule that allows it takes whatever it is found in; from one that
 * denies or asks it takes a command only when it covers every part of it, as a rule that allows would have to:
 * `rm tmp/a; rm -rf b` is not excepted by `^rm tmp/`.
 */
function exceptsCommand({ verdict }: CompiledRule, exclude: ArgumentPattern, shell: ShellReading): Holds {
  if (verdict === "allow") {
    const found = findInShell(exclude, shell);
    if (found.found === "unknown") return unknown(() => found.why);
    return found.found ? yes(() => `The exception applies. ${found.why}`) : no(() => "The exception does not apply.");
  }
  return whyNotAllowed(exclude, shell) === null
    ? yes(() => `The exception covers every command of \`${excerpt(shell.text)}\`.`)
    : no(() => "The exception does not cover every command.");
}

function capital(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}
