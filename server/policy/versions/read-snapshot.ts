import type { GuardRule } from "@/contracts/guard/guard";
import type { PolicySnapshot } from "@/db/schema";
import type { PolicyContent } from "../diff-policies";
import { settingsBefore } from "../rules/policy-settings";

/** Reads a version's snapshot and fills in defaults for settings and fields that are newer than the snapshot. */
export function readSnapshot({ config, rules, fileRules = [] }: PolicySnapshot): PolicyContent & { own: GuardRule[] } {
  const own = rules.map(completeRule);
  return { config: { ...settingsBefore, ...config }, own, rules: [...own, ...fileRules.map(completeRule)] };
}

function completeRule(rule: GuardRule): GuardRule {
  return { ...{ excludePattern: null, comparisons: [], context: null, relaxes: [], approvers: null, source: "workspace" }, ...rule };
}
