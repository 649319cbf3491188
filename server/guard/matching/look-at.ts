import type { CallOnTrial } from "../call-on-trial";
import { excerpt } from "../excerpt";
import { seenTexts } from "../seen-text";
import { whyNotAllowed } from "../shell/allow-shell";
import { findInShell } from "../shell/restrict-shell";
import type { ShellReading } from "../shell/running-commands";
import type { ArgumentPattern } from "./argument-pattern";
import { commandsAt } from "./commands-at";
import type { Tried } from "./tried";

/** Everything that a pattern would be tried on in a call, and what comes of a rule whose pattern is in none of it. */
export type Look = { texts: readonly string[]; notFound: Tried };

/** What rules with this parameter look at in a call; null where each of them has to be tried in earnest. */
export function lookAt(call: CallOnTrial, parameter: string | null, isAllow: boolean): Look | null {
  const seen = seenTexts(call, parameter);
  const [only, ...others] = "texts" in seen ? seen.texts : [];
  // What is missing, and what stands for several texts, has rules of its own.
  if (!only || others.length > 0) return null;
  const found = commandsAt(call, only.path);
  if (found.is === "command") {
    const [command, ...more] = found.commands;
    const isWhole = command && more.length === 0 && command.reading.text === only.text;
    return isWhole ? lookAtCommand(command.reading, isAllow) : null;
  }
  if (isAllow && found.is !== "text") return null;
  return { texts: [only.text], notFound: notMatched(() => `The pattern is not found in \`${excerpt(only.text)}\`.`) };
}

/** What is looked at in a command is told by those who look: a pattern that is found nowhere is tried, and notes on what. */
function lookAtCommand(shell: ShellReading, isAllow: boolean): Look | null {
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
      const why = whyNotAllowed(nowhere, shell);
      return { texts, notFound: notMatched(() => String(why)) };
    }
    if (findInShell(nowhere, shell).found !== false) return null;
    return { texts, notFound: notMatched(() => `The pattern is not found in \`${excerpt(shell.text)}\`.`) };
  } catch {
    return null;
  }
}

/** What all rules of a look are told; made once. */
function notMatched(say: () => string): Tried {
  let sentence: string | null = null;
  const why = () => {
    sentence ??= say();
    return sentence;
  };
  return { result: "not_matched", decides: false, why };
}
