import type { RE2JS } from "re2js";
import { toCharCodes } from "@/server/platform/char-codes";

/** The work that a search may still do; several searches can share one budget. */
export type SearchBudget = { left: number };

export type Searched = {
  isFound: boolean;
  /**
   * Full search only: the sum of live NFA instructions over all characters, an upper bound for a search that reports
   * positions.
   */
  threads: number;
};

/** A state of the automaton: the instructions that are live between two characters. */
type State = { nfaStates: number[]; isMatch: boolean; next: (State | null)[] | null };

/** Flags of re2js for the beginning of a line and of the text. */
const atBeginning = 1 | 4;
const unanchored = 0;
const endOfText = -1;
const lastOfLatin1 = 0xff;
/** Fixed cost of building a transition, added to the cost of its instructions. */
const perTransition = 4;

/**
 * Searches a text with the pattern's lazy DFA only. A known transition is almost free; a new one costs as many units as
 * instructions are live, and the budget limits them. The engine alone would go on with a search in which every character
 * costs up to the pattern's size: minutes, for short patterns such as `(a?){450}a{450}`. The cache is cleared first, so
 * that the answer depends only on pattern, text and budget.
 * @param goOn searches the whole text instead of stopping at the first match
 * @param isWarm keeps the cache of earlier texts: for many short texts, where the answer may depend on them
 * @returns null when the budget is used up
 */
export function boundedSearch(pattern: RE2JS, text: string, budget: SearchBudget, { goOn = false, isWarm = false } = {}): Searched | null {
  const { dfa, onepass } = pattern.re2Input;
  // A one-pass pattern never has more than one live instruction.
  if (onepass !== null) return { isFound: pattern.test(text), threads: text.length };
  if (dfa.failed) return null;
  if (!isWarm || dfa.memBudget < dfa.maxMem / 2) dfa.clearCache();
  let state: State | null = dfa.makeState([dfa.prog.start], atBeginning, []);
  const kinds = dfa.latin1Class;
  const codes = toCharCodes(text);
  let isFound = false;
  let threads = 0;
  for (let at = 0; state !== null && at <= text.length; at += 1) {
    const unit = at < text.length ? Number(codes[at]) : endOfText;
    // Nearly every character is Latin-1 and has a precomputed class; the end of the text has none.
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
