import "server-only";
import type { GuardRuleDraft, SavedRule } from "@/contracts/guard/guard";
import { guardRules } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { changePolicy } from "../change-policy";
import { loadRuleWarnings } from "../warnings/load-rule-warnings";
import { assertUsableRule } from "./assert-usable-rule";
import { presentRule } from "./present-rule";

/** Adds a rule, and answers it with what it may not mean. @throws AppError `invalid` for a pattern that cannot be used */
export async function createRule(actor: Authorized<"guard:write">, draft: GuardRuleDraft): Promise<SavedRule> {
  const { workspaceId } = actor;
  const warningsOf = await loadRuleWarnings(workspaceId);
  const { answer } = await changePolicy(actor, async (tx) => {
    const usable = await assertUsableRule(tx, workspaceId, draft);
    const [row] = await tx
      .insert(guardRules)
      .values({ ...usable, workspaceId })
      .returning();
    if (!row) throw new Error("The rule was not inserted");
    const rule = presentRule(row);
    const answer = { ...rule, warnings: warningsOf(rule) };
    return { answer, event: "guard_rule.created", subject: rule.id, summary: `Added the rule "${rule.name}"`, data: { new: rule } };
  });
  return answer;
}
