import "server-only";
import type { GuardRule, ListedRule } from "@/contracts/guard/guard";
import { loadRuleHits } from "./rule-hits";
import { loadUnreachedRules } from "./unreached-rules";

/** Adds why each rule is never reached, and how many calls it decided. */
export async function presentListedRules(workspaceId: string, rules: readonly GuardRule[]): Promise<ListedRule[]> {
  const [unreached, hits] = await Promise.all([loadUnreachedRules(workspaceId), loadRuleHits(workspaceId)]);
  return rules.map((rule) => ({
    ...rule,
    neverReachedBecauseOf: unreached.get(rule.id) ?? null,
    hits30Days: hits && (hits.get(rule.id) ?? 0),
  }));
}
