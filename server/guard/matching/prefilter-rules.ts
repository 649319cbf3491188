import type { CallAction } from "@/contracts/guard/rule-subjects";
import type { AnalyzedCall } from "../call/analyzed-call";
import type { CompiledRule } from "./compile-rule";
import { actionOfRule } from "./evaluate-rule";
import { findActionInputs, findPatternInputs, type PatternInputs } from "./pattern-inputs";
import { foldCase } from "./required-texts";
import type { RuleResult } from "./rule-result";
import { indexTexts, type TextIndex } from "./text-index";

/** Rules of one list, split by the prefilter into those that must be evaluated and those that cannot match. */
export type PrefilteredRules = {
  /** Places of the rules that must be evaluated, in ascending order. */
  toTry: readonly number[];
  /** Returns the result of the rule at a place outside of `toTry`; for a place in `toTry` the answer means nothing. */
  ruledOut: (place: number) => RuleResult | undefined;
};

/** Rules with the same inputs, indexed by the texts that their patterns require. */
type Group = {
  action: CallAction | null;
  parameter: string | null;
  isAllow: boolean;
  isFolded: boolean;
  places: readonly number[];
  index: TextIndex;
};
type RulePrefilter = {
  /** Places of rules whose patterns require no known text. */
  always: readonly number[];
  groups: readonly Group[];
  groupOf: ReadonlyMap<number, number>;
};

/** Shorter lists are not prefiltered, because evaluating them is as fast. */
const minRules = 16;
/** The places of a list that is not prefiltered, up to its maximum length. */
export const unfilteredPlaces: readonly number[] = Array.from({ length: minRules }, (_, place) => place);
const prefilters = new WeakMap<readonly CompiledRule[], RulePrefilter>();

/** Finds the rules of a list that can match a call: a handful out of thousands. Null for a short list. */
export function prefilterRules(rules: readonly CompiledRule[], call: AnalyzedCall): PrefilteredRules | null {
  if (rules.length < minRules) return null;
  let prefilter = prefilters.get(rules);
  if (!prefilter) {
    prefilter = prefilterFor(rules, call.tool.name);
    prefilters.set(rules, prefilter);
  }
  const { always, groups, groupOf } = prefilter;
  const looks = groups.map(({ action, parameter, isAllow }) =>
    action ? findActionInputs(call, action, isAllow) : findPatternInputs(call, parameter, isAllow),
  );
  const toTry = new Set(always);
  for (const [at, group] of groups.entries()) noteMatching(rules, group, looks[at] ?? null, toTry);
  return {
    toTry: [...toTry].sort((a, b) => a - b),
    ruledOut: (place) => looks[Number(groupOf.get(place))]?.notFound,
  };
}

function noteMatching(
  rules: readonly CompiledRule[],
  { places, index, isFolded }: Group,
  look: PatternInputs | null,
  toTry: Set<number>,
): void {
  if (look === null) {
    for (const place of places) toTry.add(place);
    return;
  }
  for (const text of look.texts) {
    index.mayBeIn(isFolded ? foldCase(text) : text, (place) => {
      const pattern = rules[place]?.pattern();
      if (!pattern?.ok || !pattern.pattern.isRuledOut(text)) toTry.add(place);
    });
  }
}

/** @param toolName the tool whose calls the list of rules is for: rules about commands of other tools are tried otherwise */
function prefilterFor(rules: readonly CompiledRule[], toolName: string): RulePrefilter {
  const always: number[] = [];
  const groupOf = new Map<number, number>();
  const byKey = new Map<string, Omit<Group, "index" | "places"> & { entries: { entry: number; texts: readonly string[] }[] }>();
  for (const [place, rule] of rules.entries()) {
    const pattern = rule.pattern();
    const required = pattern?.ok ? pattern.pattern.required : null;
    if (required === null) {
      always.push(place);
      continue;
    }
    const { texts, isFolded } = required;
    const isAllow = rule.verdict === "allow";
    const action = actionOfRule(rule, toolName);
    const key = JSON.stringify([action, rule.parameter, isAllow, isFolded]);
    const group = byKey.get(key) ?? { action, parameter: rule.parameter, isAllow, isFolded, entries: [] };
    byKey.set(key, group);
    group.entries.push({ entry: place, texts });
  }
  const groups = [...byKey.values()].map(({ entries, ...group }, at): Group => {
    for (const { entry } of entries) groupOf.set(entry, at);
    return { ...group, places: entries.map(({ entry }) => entry), index: indexTexts(entries) };
  });
  return { always, groups, groupOf };
}
