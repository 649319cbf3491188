import "server-only";
import type { GuardRule, GuardRuleDraft } from "@/contracts/guard";
import { guardRules } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { changePolicy } from "./change-policy";
import { demandUsableRule } from "./demand-usable-rule";
import { presentRule } from "./present-rule";

/** Adds a rule. @throws AppError `invalid` for a pattern that cannot be used */
export async function createRule(actor: Holder<"guard:write">, draft: GuardRuleDraft): Promise<GuardRule> {
  const { workspaceId } = actor;
  const { answer } = await changePolicy(actor, async (tx) => {
    const usable = await demandUsableRule(tx, workspaceId, draft);
    const [row] = await tx
      .insert(guardRules)
      .values({ ...usable, workspaceId })
      .returning();
    if (!row) throw new Error("The rule was not inserted");
    const rule = presentRule(row);
    return { answer: rule, event: "guard_rule.created", subject: rule.id, summary: `Added the rule "${rule.name}"`, data: { new: rule } };
  });
  return answer;
}
