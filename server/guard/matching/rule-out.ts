import type { CallOnTrial } from "../call-on-trial";
import type { CompiledRule } from "../compile-policy";
import { excerpt } from "../excerpt";
import { seenTexts } from "../seen-text";
import { whyNotAllowed } from "../shell/allow-shell";
import { findInShell } from "../shell/restrict-shell";
import type { ShellReading } from "../shell/running-commands";
import type { ArgumentPattern } from "./argument-pattern";
import type { Tried } from "./tried";

/** Everything that a pattern would be tried on in a call, and what comes of a rule whose pattern is in none of it. */
type Look = { texts: readonly string[]; notFound: Tried };
/** By parameter; null where a rule has to be tried in earnest. */
type Looks = { allow: Map<string | null, Look | null>; others: Map<string | null, Look | null> };

/** Looks of a call, shared by its rules: of thousands for one tool, most are ruled out by them. */
const looks = new WeakMap<CallOnTrial, Looks>();

/** The look that was asked for last. */
let latest: { call: CallOnTrial; parameter: string | null; isAllow: boolean; look: Look | null } | null = null;

/** The outcome of a rule whose pattern is certainly not in the call; null when it has to be tried in earnest. */
export function notFoundAnywhere(call: CallOnTrial, { parameter, verdict }: CompiledRule, { isRuledOut }: ArgumentPattern): Tried | null {
  const isAllow = verdict === "allow";
  // Rules of one kind follow each other by the thousand: the look of the one before is nearly always the right one.
  if (latest?.call !== call || latest.parameter !== parameter || latest.isAllow !== isAllow) {
    latest = { call, parameter, isAllow, look: lookOf(call, parameter, isAllow) };
  }
  const { look } = latest;
  if (look === null) return null;
  for (const text of look.texts) if (!isRuledOut(text)) return null;
  return look.notFound;
}

function lookOf(call: CallOnTrial, parameter: string | null, isAllow: boolean): Look | null {
  const known = looks.get(call) ?? { allow: new Map(), others: new Map() };
  looks.set(call, known);
  const byParameter = isAllow ? known.allow : known.others;
  const look = byParameter.get(parameter);
  if (look !== undefined) return look;
  const made = lookAt(call, parameter, isAllow);
  byParameter.set(parameter, made);
  return made;
}

function lookAt(call: CallOnTrial, parameter: string | null, isAllow: boolean): Look | null {
  const seen = seenTexts(call, parameter);
  const [only, ...others] = "texts" in seen ? seen.texts : [];
  // What is missing, and what stands for several texts, has rules of its own.
  if (!only || others.length > 0) return null;
  if (only.isPrimary && call.shell) return lookAtCommand(call.shell, isAllow);
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
  const nowhere: ArgumentPattern = { source: "", isRuledOut: () => true, isFoundIn: note(false), lengthAtStart: note(null) };
  try {
    if (isAllow) {
      const why = whyNotAllowed(nowhere, shell);
      return why === null ? null : { texts, notFound: notMatched(() => why) };
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
