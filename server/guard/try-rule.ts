import type { TraceStep } from "@/contracts/guard";
import { whyNotAllowed } from "./allow-shell";
import type { ArgumentPattern } from "./argument-pattern";
import type { AskedCall } from "./asked-call";
import type { CallOnTrial } from "./call-on-trial";
import type { CompiledRule } from "./compile-policy";
import { excerpt } from "./excerpt";
import { findInShell } from "./restrict-shell";
import { seenText } from "./seen-text";
import type { ShellReading } from "./shell/running-commands";
import { unsafeShapeIn } from "./unsafe-shapes";

/** What came of trying one rule on one call. */
export type Tried = Pick<TraceStep, "result" | "why"> & {
  /** The rule decides. Also one that could not be evaluated, when it denies or asks. */
  decides: boolean;
};

/** Tries a rule that covers the call's tool. Fails closed: in doubt, a rule that allows does not match and others do. */
export function tryRule(rule: CompiledRule, call: CallOnTrial): Tried {
  const pattern = rule.pattern();
  if (pattern === null) return tryWithoutPattern(rule, call);
  const seen = seenText(call, rule.parameter);
  if ("missing" in seen) return inDoubt(rule, `${sentence(seen.missing)} that the pattern could be tried on.`);
  if (!pattern.ok) return inDoubt(rule, `The pattern is not valid: ${pattern.error.message}`);
  const seesCommand = (rule.parameter ?? call.tool.primaryArgument) === call.tool.primaryArgument;
  return call.shell && seesCommand ? tryOnCommand(rule, pattern.pattern, call.shell) : tryOnText(pattern.pattern, seen.text);
}

/** What a rule does to a call of another tool. */
export function notCovered(rule: CompiledRule, call: AskedCall): Tried {
  return { result: "not_matched", decides: false, why: `The rule is for \`${rule.tool}\`, and the call is to \`${call.tool.name}\`.` };
}

function tryWithoutPattern(rule: CompiledRule, { shell, tool }: CallOnTrial): Tried {
  const unsafe = rule.verdict === "allow" && shell ? unsafeShapeIn(shell) : null;
  if (unsafe) return notMatched(`An allow rule alone is not enough: ${unsafe}.`);
  return matched(`The rule has no pattern: it matches every call of ${tool.name}.`);
}

function tryOnCommand(rule: CompiledRule, pattern: ArgumentPattern, shell: ShellReading): Tried {
  const { text, script } = shell;
  if (rule.verdict === "allow") {
    const why = whyNotAllowed(pattern, shell);
    if (why) return notMatched(why);
    const [only, ...others] = script.commands;
    return matched(
      others.length > 0
        ? `All ${others.length + 1} commands match the pattern.`
        : `The command \`${excerpt(only?.text ?? text)}\` matches the pattern.`,
    );
  }
  const found = findInShell(pattern, shell);
  if (found.found === "unknown") return inDoubt(rule, found.why);
  return found.found ? matched(found.why) : notMatched(`The pattern is not found in \`${excerpt(text)}\`.`);
}

function tryOnText(pattern: ArgumentPattern, text: string): Tried {
  return pattern.isFoundIn(text)
    ? matched(`The pattern is found in \`${excerpt(text)}\`.`)
    : notMatched(`The pattern is not found in \`${excerpt(text)}\`.`);
}

const matched = (why: string): Tried => ({ result: "matched", decides: true, why });
const notMatched = (why: string): Tried => ({ result: "not_matched", decides: false, why });

function inDoubt({ verdict }: CompiledRule, why: string): Tried {
  const consequence =
    verdict === "allow" ? "A rule that allows does not match then." : "A rule that denies or asks counts as matching then.";
  return { result: "could_not_evaluate", decides: verdict !== "allow", why: `${why} ${consequence}` };
}

function sentence(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}
