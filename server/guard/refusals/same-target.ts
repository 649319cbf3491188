import type { Touch } from "@/db/schema";
import { globFits, withoutBrackets } from "../matching/glob";

/** A touch, ready to be compared with many others. */
export type Comparable = Touch & {
  /** Where the target may stand for several: what it begins and ends with, and whether anything may stand between them. */
  glob: { pattern: string; head: string; tail: string; isOneStar: boolean } | null;
};

/** What all comparisons of one call may cost together, in characters that are looked at: a few milliseconds. */
const workPerCall = 250_000;
const perPair = 4;

export type ComparingBudget = { left: number };
export const budgetOfCall = (): ComparingBudget => ({ left: workPerCall });

/** A bracket in a glob is taken for any character. */
export function comparable(touch: Touch): Comparable {
  const pattern = withoutBrackets(touch.target);
  const first = pattern.search(/[*?]/);
  if (first < 0) return { ...touch, glob: null };
  const last = Math.max(pattern.lastIndexOf("*"), pattern.lastIndexOf("?"));
  const isOneStar = first === last && pattern[first] === "*";
  return { ...touch, glob: { pattern, head: pattern.slice(0, first), tail: pattern.slice(last + 1), isOneStar } };
}

/**
 * Whether what was refused is touched again. What changes a thing may also read it: only the other way round are they
 * apart. What is too much to be compared counts as the same.
 */
export function isSameTarget(refused: Comparable, touch: Comparable, budget: ComparingBudget): boolean {
  if (refused.act !== touch.act && !(refused.act === "read" && touch.act === "change")) return false;
  return refused.target === touch.target || fits(refused, touch.target, budget) || fits(touch, refused.target, budget);
}

function fits({ glob }: Comparable, target: string, budget: ComparingBudget): boolean {
  if (glob === null) return false;
  budget.left -= perPair;
  if (budget.left < 0) return true;
  const { pattern, head, tail, isOneStar } = glob;
  if (!target.startsWith(head) || !target.endsWith(tail)) return false;
  if (isOneStar) return target.length >= head.length + tail.length;
  budget.left -= pattern.length * target.length;
  return budget.left < 0 || globFits(pattern, target);
}
