import type { ComparableEffect } from "@/contracts/guard/refusals";
import { splitHost } from "../hosts/locate-host";
import { globFits, withoutBrackets } from "../paths/glob";

/** An effect, prepared for comparisons with many others. */
export type PreparedEffect = ComparableEffect & {
  /** For a target that may stand for several: its fixed beginning and end, and whether a single `*` is all between them. */
  glob: { pattern: string; head: string; tail: string; isOneStar: boolean } | null;
};

/** The budget for all comparisons of one call, in compared characters: a few milliseconds. */
const workPerCall = 250_000;
const perPair = 4;

export type ComparingBudget = { left: number };
export const makeComparingBudget = (): ComparingBudget => ({ left: workPerCall });

/** Prepares an effect; a bracket in its glob counts as any character. */
export function prepareEffect(effect: ComparableEffect): PreparedEffect {
  const pattern = withoutBrackets(effect.target);
  const first = pattern.search(/[*?]/);
  if (first < 0) return { ...effect, glob: null };
  const last = Math.max(pattern.lastIndexOf("*"), pattern.lastIndexOf("?"));
  const isOneStar = first === last && pattern[first] === "*";
  return { ...effect, glob: { pattern, head: pattern.slice(0, first), tail: pattern.slice(last + 1), isOneStar } };
}

/**
 * Returns whether a refused target is the target again. A refused read also covers changes, because a program that changes
 * a thing may read it; a refused change does not cover reads. Beyond the budget, targets count as the same.
 */
export function isSameTarget(refused: PreparedEffect, effect: PreparedEffect, budget: ComparingBudget): boolean {
  if (refused.act !== effect.act && !(refused.act === "read" && effect.act === "change")) return false;
  if (effect.act === "reach") return isSameHost(refused.target, effect.target);
  return refused.target === effect.target || fits(refused, effect.target, budget) || fits(effect, refused.target, budget);
}

/** Hosts with different ports are different servers. A host without a port may be any of them. */
function isSameHost(refused: string, reached: string): boolean {
  const [one, other] = [splitHost(refused), splitHost(reached)];
  return one.name === other.name && (one.port === null || other.port === null || one.port === other.port);
}

function fits({ glob }: PreparedEffect, target: string, budget: ComparingBudget): boolean {
  if (glob === null) return false;
  budget.left -= perPair;
  if (budget.left < 0) return true;
  const { pattern, head, tail, isOneStar } = glob;
  if (!target.startsWith(head) || !target.endsWith(tail)) return false;
  if (isOneStar) return target.length >= head.length + tail.length;
  budget.left -= pattern.length * target.length;
  return budget.left < 0 || globFits(pattern, target);
}
