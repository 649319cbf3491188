import { RE2JS } from "re2js";
import { boundedSearch, type SearchBudget } from "@/server/guard/matching/bounded-search";
import { sizeMistake } from "@/server/guard/matching/pattern-size";

/** Characters of one text that a pattern is tried on. What is longer is cut, not let through unseen. */
export const longestText = 200_000;

/** Characters of all texts of one value together. */
export const mostText = 1_000_000;

/** Work that all searches in the texts of one value may cost together: some ten milliseconds. */
const workPerValue = 60_000;

/** A budget for the texts of one value. */
export const budgetOfValue = (): SearchBudget => ({ left: workPerValue });

/** RE2 syntax. @throws Error for a pattern that cannot be used. */
export function textPattern(source: string): RE2JS {
  const pattern = RE2JS.compile(source);
  const mistake = sizeMistake(pattern);
  if (mistake) throw new Error(mistake);
  return pattern;
}

/** Whether the pattern is found; null when that would take too long. */
export function isFound(pattern: RE2JS, text: string, budget: SearchBudget): boolean | null {
  if (text.length > longestText) return null;
  return boundedSearch(pattern, text, budget, { isWarm: true })?.isFound ?? null;
}

const cutMark = "[cut: too long to be looked through]";

/** Instructions that a search for places in the texts of one value may walk through: a fifth of a second at worst. */
const mostThreads = 4_000_000;
/** Processor time for all matches of one value: each may cost a look at all that is left of the text. */
const replacingMs = 200;

/**
 * Makes a function that replaces every match in the texts of one value; in the replacement nothing has a meaning. What
 * would take too long to be looked through is cut.
 */
export function replacing(pattern: RE2JS, replacement: string): (text: string) => string {
  let room = mostText;
  let threads = 0;
  let spentMs = 0;
  const budget = budgetOfValue();
  return (text) => {
    const length = Math.min(text.length, longestText, room);
    room -= length;
    const looked = text.slice(0, length);
    const searched = boundedSearch(pattern, looked, budget, { goOn: true, isWarm: true });
    if (searched === null) return cutMark;
    if (!searched.isFound) return length < text.length ? `${looked}\n${cutMark}` : text;
    threads += searched.threads;
    if (threads > mostThreads || spentMs > replacingMs) return cutMark;
    const begun = processorMs();
    const { replaced, isWhole } = replaceUntil(pattern, looked, replacement, begun + replacingMs - spentMs);
    spentMs += processorMs() - begun;
    return isWhole && length === text.length ? replaced : `${replaced}\n${cutMark}`;
  };
}

/** Processor time of this thread, in milliseconds: what others do with the machine changes nothing of what is cut. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Replaces match after match, until there is none or the time is up; then the rest is left out. */
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
