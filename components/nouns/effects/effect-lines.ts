import type { Effect } from "@/contracts/decisions/effects";
import { describeEffect, type EffectWords } from "./describe-effect";
import { effectTone, toneRank } from "./effect-tone";

/** Returns the sentences about a call's effects without duplicates, the most serious first. */
export function effectLines(effects: readonly Effect[]): EffectWords[] {
  const lines = new Map<string, EffectWords>();
  for (const effect of bySeriousness(effects)) {
    const words = describeEffect(effect);
    if (!lines.has(words.text)) lines.set(words.text, words);
  }
  return [...lines.values()];
}

/** Sorts effects by tone, and keeps the guard's order within a tone. */
export function bySeriousness(effects: readonly Effect[]): Effect[] {
  return effects.toSorted((a, b) => toneRank[effectTone(a)] - toneRank[effectTone(b)]);
}
