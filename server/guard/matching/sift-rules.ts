import type { CallOnTrial } from "../call-on-trial";
import type { CompiledRule } from "../compile-policy";
import { type Look, lookAt } from "./look-at";
import { indexTexts, type TextIndex } from "./text-index";
import type { Tried } from "./tried";

/** Rules of one list, by what is certain about them before any is tried. */
export type Sifted = {
  /** Places of the rules that have to be tried, in their order. */
  toTry: readonly number[];
  /** What comes of the rule at any other place; nothing is known of one that has to be tried. */
  ruledOut: (place: number) => Tried | undefined;
};

/** Rules that look at the same of a call, found by the texts without which their patterns do not match. */
type Group = { parameter: string | null; isAllow: boolean; places: readonly number[]; index: TextIndex };
type Sieve = {
  /** Places of rules of which nothing is known beforehand. */
  always: readonly number[];
  groups: readonly Group[];
  groupOf: ReadonlyMap<number, number>;
};

/** Shorter lists are tried as quickly as they are sifted. */
const minRules = 16;
/** Places of a list that is not sifted: as many as it may have. */
export const placesOfFew: readonly number[] = Array.from({ length: minRules }, (_, place) => place);
const sieves = new WeakMap<readonly CompiledRule[], Sieve>();

/** Which rules of a list can match a call at all: of thousands for one tool, a handful. Null for a short list. */
export function siftRules(rules: readonly CompiledRule[], call: CallOnTrial): Sifted | null {
  if (rules.length < minRules) return null;
  let sieve = sieves.get(rules);
  if (!sieve) {
    sieve = sieveFor(rules);
    sieves.set(rules, sieve);
  }
  const { always, groups, groupOf } = sieve;
  const looks = groups.map(({ parameter, isAllow }) => lookAt(call, parameter, isAllow));
  const toTry = new Set(always);
  for (const [at, group] of groups.entries()) noteMatching(rules, group, looks[at] ?? null, toTry);
  return {
    toTry: [...toTry].sort((a, b) => a - b),
    ruledOut: (place) => looks[Number(groupOf.get(place))]?.notFound,
  };
}

function noteMatching(rules: readonly CompiledRule[], { places, index }: Group, look: Look | null, toTry: Set<number>): void {
  if (look === null) {
    for (const place of places) toTry.add(place);
    return;
  }
  for (const text of look.texts) {
    index.mayBeIn(text, (place) => {
      const pattern = rules[place]?.pattern();
      if (!pattern?.ok || !pattern.pattern.isRuledOut(text)) toTry.add(place);
    });
  }
}

function sieveFor(rules: readonly CompiledRule[]): Sieve {
  const always: number[] = [];
  const groupOf = new Map<number, number>();
  const byKey = new Map<string, { parameter: string | null; isAllow: boolean; entries: { entry: number; texts: readonly string[] }[] }>();
  for (const [place, rule] of rules.entries()) {
    const pattern = rule.pattern();
    const texts = pattern?.ok ? pattern.pattern.required : null;
    if (texts === null || texts.length === 0) {
      always.push(place);
      continue;
    }
    const isAllow = rule.verdict === "allow";
    const key = JSON.stringify([rule.parameter, isAllow]);
    const group = byKey.get(key) ?? { parameter: rule.parameter, isAllow, entries: [] };
    byKey.set(key, group);
    group.entries.push({ entry: place, texts });
  }
  const groups = [...byKey.values()].map(({ parameter, isAllow, entries }, at): Group => {
    for (const { entry } of entries) groupOf.set(entry, at);
    return { parameter, isAllow, places: entries.map(({ entry }) => entry), index: indexTexts(entries) };
  });
  return { always, groups, groupOf };
}
