import type { GuardRule } from "@/contracts/guard";
import type { PolicySnapshot } from "@/db/schema";
import { settingsBefore } from "../rules/policy-settings";
import type { PolicyContent } from "./diff-policies";

/** A version of the policy, with what it is too old to know filled in. */
export function readSnapshot({ config, rules, fileRules = [] }: PolicySnapshot): PolicyContent & { own: GuardRule[] } {
  const own = rules.map(completeRule);
  return { config: { ...settingsBefore, ...config }, own, rules: [...own, ...fileRules.map(completeRule)] };
}

function completeRule(rule: GuardRule): GuardRule {
  return { ...{ excludePattern: null, comparisons: [], context: null, relaxes: [], source: "workspace" }, ...rule };
}
