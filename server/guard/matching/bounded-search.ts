import type { RE2JS } from "re2js";
import { codesOf } from "@/server/platform/char-codes";

/** What a search may still cost; several searches can share one. */
export type SearchBudget = { left: number };

export type Searched = {
  isFound: boolean;
  /** Of a search of the whole text: instructions that were alive, summed over all characters, which is what a search that tells places costs at most. */
  threads: number;
};

/** A state of the automaton: the instructions that are alive between two characters. */
type State = { nfaStates: number[]; isMatch: boolean; next: (State | null)[] | null };

/** Flags of re2js: the beginning of a line, and of the text. */
const atBeginning = 1 | 4;
const unanchored = 0;
const endOfText = -1;
const lastOfLatin1 = 0xff;
/** Work of a new transition beside that of its instructions. */
const perTransition = 4;

/**
 * Searches a text with the pattern's automaton and nothing else. Known transitions are next to free; new ones cost as
 * many instructions as are alive, and only so many are made. An engine left alone would go on with a search in which
 * every character costs as much as the whole pattern is large: minutes, for patterns of a few characters such as
 * `(a?){450}a{450}`. The answer depends on pattern, text and budget alone, so it begins without what earlier texts left.
 * @param goOn looks at the whole text, not only up to the first match
 * @param isWarm begins with what earlier texts left: for many short texts, where the answer may depend on them
 * @returns null when the budget is used up
 */
export function boundedSearch(pattern: RE2JS, text: string, budget: SearchBudget, { goOn = false, isWarm = false } = {}): Searched | null {
  const { dfa, onepass } = pattern.re2Input;
  // At most one instruction is ever alive.
  if (onepass !== null) return { isFound: pattern.test(text), threads: text.length };
  if (dfa.failed) return null;
  if (!isWarm || dfa.memBudget < dfa.maxMem / 2) dfa.clearCache();
  let state: State | null = dfa.makeState([dfa.prog.start], atBeginning, []);
  const kinds = dfa.latin1Class;
  const codes = codesOf(text);
  let isFound = false;
  let threads = 0;
  for (let at = 0; state !== null && at <= text.length; at += 1) {
    const unit = at < text.length ? Number(codes[at]) : endOfText;
    // Nearly every character is one unit; the end has none.
    const isShort = unit >= 0 && unit <= lastOfLatin1;
    const rune = isShort ? unit : (text.codePointAt(at) ?? endOfText);
    const kind = isShort ? Number(kinds[unit]) : rune === endOfText ? dfa.numClasses : dfa.runeClass(rune);
    if (rune > 0xffff) at += 1;
    if (goOn) threads += state.nfaStates.length;
    const known: readonly (State | null)[] | null = state.next;
    let next: State | null = known === null ? null : (known[kind] ?? null);
    if (next === null) {
      next = dfa.step(state, kind, rune, unanchored);
      budget.left -= perTransition + state.nfaStates.length + (next?.nfaStates.length ?? 0);
      if (next === null || budget.left < 0) return null;
    }
    state = next;
    if (state.isMatch) {
      isFound = true;
      if (!goOn) break;
    }
  }
  return { isFound, threads };
}
