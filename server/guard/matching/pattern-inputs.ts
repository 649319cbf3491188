import type { AnalyzedCall } from "../analyzed-call";
import type { ShellReading } from "../effects/effects-of-script";
import { excerpt } from "../excerpt";
import { patternSubjects } from "../pattern-subject";
import type { ArgumentPattern } from "./argument-pattern";
import { commandsAt } from "./commands-at";
import { findInShell } from "./match-anywhere";
import { whyNotCovered } from "./pattern-coverage";
import type { RuleResult } from "./rule-result";

/** Every text that a pattern would be tried on, and the result of a rule whose pattern is in none of them. */
export type PatternInputs = { texts: readonly string[]; notFound: RuleResult };

/** Returns the texts that rules with this parameter look at; null when each of these rules has to be evaluated. */
export function findPatternInputs(call: AnalyzedCall, parameter: string | null, isAllow: boolean): PatternInputs | null {
  const seen = patternSubjects(call, parameter);
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
  return { texts: [only.text], notFound: notMatched(() => `The pattern is not found in \`${excerpt(only.text)}\`.`) };
}

/** Collects the texts by running the real matcher with a pattern that is found nowhere and notes every text it is tried on. */
function findCommandInputs(shell: ShellReading, isAllow: boolean): PatternInputs | null {
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
    if (isAllow) {
      const why = whyNotCovered(nowhere, shell);
      return { texts, notFound: notMatched(() => String(why)) };
    }
    if (findInShell(nowhere, shell).found !== false) return null;
    return { texts, notFound: notMatched(() => `The pattern is not found in \`${excerpt(shell.text)}\`.`) };
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
