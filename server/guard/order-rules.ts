import "server-only";
import { eq } from "drizzle-orm";
import type { GuardRule } from "@/contracts/guard";
import { guardRules } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { changePolicy, rulesInOrder } from "./change-policy";
import { presentRule } from "./present-rule";

/** Between neighbours, so that a rule can be put between two without moving the others. */
const priorityStep = 10;

/**
 * Sets the order in which rules are tried, first id first, by giving them new priorities.
 * @throws AppError `invalid` for an id named twice, `conflict` when the ids are not all the rules there are
 */
export async function orderRules(actor: Holder<"guard:write">, ids: readonly string[]): Promise<{ items: GuardRule[]; nextCursor: null }> {
  const { workspaceId } = actor;
  if (new Set(ids).size !== ids.length) {
    const message = "name each rule once";
    throw new AppError("invalid", "The order names a rule twice. Name each rule once.", { errors: [{ path: "ids", message }] });
  }
  const { answer } = await changePolicy(actor, async (tx) => {
    const before = await rulesInOrder(tx, workspaceId);
    const known = new Set(before.map(({ id }) => id));
    if (ids.length !== before.length || ids.some((id) => !known.has(id))) {
      throw new AppError("conflict", "The rules are not those of your list any more. Load it again and repeat the change.");
    }
    const priorities = new Map(ids.map((id, index) => [id, (ids.length - index) * priorityStep]));
    for (const rule of before) {
      const priority = priorities.get(rule.id) ?? rule.priority;
      if (priority === rule.priority) continue;
      const change = { priority, version: rule.version + 1 };
      await tx.update(guardRules).set(change).where(eq(guardRules.id, rule.id));
    }
    const answer = { items: (await rulesInOrder(tx, workspaceId)).map(presentRule), nextCursor: null };
    const data = { old: before.map(({ id }) => id), new: [...ids] };
    return { answer, event: "guard_rules.reordered", subject: null, summary: "Changed the order of the rules", data };
  });
  return answer;
}
