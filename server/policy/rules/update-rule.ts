import "server-only";
import { eq } from "drizzle-orm";
import type { GuardRuleDraft, SavedRule } from "@/contracts/guard/guard";
import { guardRules } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { changePolicy } from "../change-policy";
import { loadRuleWarnings } from "../warnings/load-rule-warnings";
import { assertUsableRule } from "./assert-usable-rule";
import { findRuleAt } from "./find-rule";
import { presentRule } from "./present-rule";

/**
 * Replaces a rule, and answers it with what it may not mean.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `invalid` for a pattern that cannot be used
 */
export async function updateRule(
  actor: Authorized<"guard:write">,
  ruleId: string,
  draft: GuardRuleDraft,
  version: number | null,
): Promise<SavedRule> {
  const { workspaceId } = actor;
  const warningsOf = await loadRuleWarnings(workspaceId);
  const { answer } = await changePolicy(actor, async (tx) => {
    const before = await findRuleAt(tx, workspaceId, ruleId, version);
    const usable = await assertUsableRule(tx, workspaceId, draft, before);
    const [row] = await tx
      .update(guardRules)
      .set({ ...usable, version: before.version + 1 })
      .where(eq(guardRules.id, ruleId))
      .returning();
    if (!row) throw new Error("A locked rule was not updated");
    const rule = presentRule(row);
    const data = { old: presentRule(before), new: rule };
    const answer = { ...rule, warnings: warningsOf(rule) };
    return { answer, event: "guard_rule.updated", subject: ruleId, summary: `Changed the rule "${rule.name}"`, data };
  });
  return answer;
}
