import { RE2JS } from "re2js";
import { boundedSearch, type SearchBudget } from "@/server/guard/matching/bounded-search";
import { sizeMistake } from "@/server/guard/matching/pattern-size";

/** Characters of one text that a pattern is tried on. The rest of a longer text is cut off, never passed on unsearched. */
export const maxTextChars = 200_000;

/** Characters of all texts of one value together. */
export const maxValueChars = 1_000_000;

/** Search budget for all texts of one value together: about ten milliseconds. */
const workPerValue = 60_000;

/** Returns a new search budget for the texts of one value. */
export const makeValueBudget = (): SearchBudget => ({ left: workPerValue });

/** Compiles a pattern in RE2 syntax. @throws Error for a pattern that cannot be used. */
export function textPattern(source: string): RE2JS {
  const pattern = RE2JS.compile(source);
  const mistake = sizeMistake(pattern);
  if (mistake) throw new Error(mistake);
  return pattern;
}

/** Tells whether the pattern is found; null when the text is too long or the budget is used up. */
export function isFound(pattern: RE2JS, text: string, budget: SearchBudget): boolean | null {
  if (text.length > maxTextChars) return null;
  return boundedSearch(pattern, text, budget, { isWarm: true })?.isFound ?? null;
}

const cutMark = "[cut: too long to be looked through]";

/** Most live pattern instructions, summed over all characters, before matches are located: a fifth of a second at worst. */
const maxThreads = 4_000_000;
/** Processor time for all matches of one value, because each match may cost a search of the whole rest of the text. */
const replacingMs = 200;

/**
 * Returns a function that replaces every match in the texts of one value. The replacement is literal text. Text that
 * would take too long to search is cut off.
 */
export function replacing(pattern: RE2JS, replacement: string): (text: string) => string {
  let room = maxValueChars;
  let threads = 0;
  let spentMs = 0;
  const budget = makeValueBudget();
  return (text) => {
    const length = Math.min(text.length, maxTextChars, room);
    room -= length;
    const looked = text.slice(0, length);
    const searched = boundedSearch(pattern, looked, budget, { goOn: true, isWarm: true });
    if (searched === null) return cutMark;
    if (!searched.isFound) return length < text.length ? `${looked}\n${cutMark}` : text;
    threads += searched.threads;
    if (threads > maxThreads || spentMs > replacingMs) return cutMark;
    const begun = processorMs();
    const { replaced, isWhole } = replaceUntil(pattern, looked, replacement, begun + replacingMs - spentMs);
    spentMs += processorMs() - begun;
    return isWhole && length === text.length ? replaced : `${replaced}\n${cutMark}`;
  };
}

/** Returns this thread's processor time in milliseconds, because wall time would cut more on a busy machine. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Replaces matches until none is left or the deadline passes; the rest of the text is then left out. */
function replaceUntil(pattern: RE2JS, text: string, replacement: string, deadline: number): { replaced: string; isWhole: boolean } {
  const matcher = pattern.matcher(text);
  let replaced = "";
  let end = 0;
  while (matcher.find()) {
    replaced += text.slice(end, matcher.start()) + replacement;
    end = matcher.end();
    if (processorMs() > deadline) return { replaced, isWhole: false };
  }
  return { replaced: replaced + text.slice(end), isWhole: true };
}
