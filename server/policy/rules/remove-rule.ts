import "server-only";
import { eq } from "drizzle-orm";
import { guardRules } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { changePolicy } from "../change-policy";
import { findRuleAt } from "./find-rule";
import { presentRule } from "./present-rule";

/**
 * Removes a rule; restoring an earlier version of the policy brings the rule back.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`
 */
export async function removeRule(actor: Authorized<"guard:write">, ruleId: string, version: number | null): Promise<void> {
  await changePolicy(actor, async (tx) => {
    const rule = await findRuleAt(tx, actor.workspaceId, ruleId, version);
    await tx.delete(guardRules).where(eq(guardRules.id, ruleId));
    const data = { old: presentRule(rule) };
    return { answer: null, event: "guard_rule.removed", subject: ruleId, summary: `Removed the rule "${rule.name}"`, data };
  });
}
