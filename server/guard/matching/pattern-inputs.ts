import type { CallAction } from "@/contracts/guard/rule-subjects";
import type { AnalyzedCall } from "../call/analyzed-call";
import { patternSubjects } from "../call/pattern-subject";
import type { ShellReading } from "../effects/effects-of-script";
import { excerpt } from "../excerpt";
import type { ArgumentPattern } from "./argument-pattern";
import { commandsAt } from "./commands-at";
import { findInShell } from "./match-anywhere";
import { whyNotCovered } from "./pattern-coverage";
import { findAnywhere } from "./patterns-in-commands";
import type { RuleResult } from "./rule-result";
import { actionHolds } from "./rules-of-actions";

/** Every text that a pattern would be tried on, and the result of a rule whose pattern is in none of them. */
export type PatternInputs = { texts: readonly string[]; notFound: RuleResult };

/** Returns the texts that rules with this parameter look at; null when each of these rules has to be evaluated. */
export function findPatternInputs(call: AnalyzedCall, parameter: string | null, isAllow: boolean): PatternInputs | null {
  const seen = patternSubjects(call, parameter, { isAllow });
  const [only, ...others] = "texts" in seen ? seen.texts : [];
  // Missing values and lists of values need a full evaluation.
  if (!only || others.length > 0) return null;
  const found = commandsAt(call, only.path);
  if (found.is === "command") {
    const [command, ...more] = found.commands;
    const isWhole = command && more.length === 0 && command.reading.text === only.text;
    return isWhole ? findCommandInputs(command.reading, isAllow) : null;
  }
  if (isAllow && found.is !== "text") return null;
  if (found.is === "around") {
    return notedInputs((nowhere) => {
      const searched = findAnywhere(nowhere, only.text, found.commands);
      return searched.holds === false && notMatched(searched.why);
    });
  }
  return { texts: [only.text], notFound: notMatched(() => `The pattern is not found in \`${excerpt(only.text)}\`.`) };
}

/** The same for rules about what a call does. */
export function findActionInputs(call: AnalyzedCall, action: CallAction, isAllow: boolean): PatternInputs | null {
  return notedInputs((nowhere) => {
    const { holds, why } = actionHolds({ verdict: isAllow ? "allow" : "deny" }, action, call, { wanted: nowhere, excepted: null });
    return !isAllow && holds === false && notMatched(why);
  });
}

function findCommandInputs(shell: ShellReading, isAllow: boolean): PatternInputs | null {
  return notedInputs((nowhere) => {
    if (isAllow) {
      const why = whyNotCovered(nowhere, shell);
      return notMatched(() => String(why));
    }
    return findInShell(nowhere, shell).found === false && notMatched(() => `The pattern is not found in \`${excerpt(shell.text)}\`.`);
  });
}

/**
 * Collects the texts by running the real matcher with a pattern that is found nowhere and notes every text it is tried on.
 * @param match returns the result of a rule whose pattern is found nowhere; false when such a rule has to be evaluated
 */
function notedInputs(match: (nowhere: ArgumentPattern) => RuleResult | false): PatternInputs | null {
  const texts: string[] = [];
  const note = <Answer>(answer: Answer) => {
    return (text: string): Answer => {
      texts.push(text);
      return answer;
    };
  };
  const nowhere: ArgumentPattern = {
    source: "",
    required: null,
    isRuledOut: () => true,
    isFoundIn: note(false),
    lengthAtStart: note(null),
  };
  try {
    const notFound = match(nowhere);
    return notFound === false ? null : { texts, notFound };
  } catch {
    return null;
  }
}

/** Builds a result that many rules share; the sentence is built once. */
function notMatched(say: () => string): RuleResult {
  let sentence: string | null = null;
  const why = () => {
    sentence ??= say();
    return sentence;
  };
  return { result: "not_matched", decides: false, why };
}
