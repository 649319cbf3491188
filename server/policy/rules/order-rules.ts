import "server-only";
import { eq } from "drizzle-orm";
import type { ListedRule } from "@/contracts/guard/guard";
import { guardRules } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { compareRuleOrder } from "@/server/guard/matching/compile-rule";
import { AppError } from "@/server/platform/errors";
import { changePolicy, rulesInOrder } from "../change-policy";
import { policyFile } from "../policy-file/policy-file";
import { placePriorities } from "./place-priorities";
import { presentListedRules } from "./present-listed-rules";
import { presentRule } from "./present-rule";

/**
 * Sets the order in which rules are tried, first id first, by giving them new priorities. Rules of the policy file keep
 * their priorities; the ids may name them at their present places.
 * @param from the order that the caller saw; a different current order changes nothing and throws `stale_version`
 * @throws AppError `invalid` for a repeated id, `conflict` when the ids are not exactly the present rules, `stale_version`
 */
export async function orderRules(
  actor: Authorized<"guard:write">,
  ids: readonly string[],
  from: readonly string[] | null = null,
): Promise<{ items: ListedRule[]; nextCursor: null }> {
  const { workspaceId } = actor;
  assertEachOnce(ids);
  const { answer } = await changePolicy(actor, async (tx) => {
    const before = await rulesInOrder(tx, workspaceId);
    const priorities = orderedPriorities(before, ids);
    if (from && !isOrderOf(before, from)) {
      throw new AppError("stale_version", "Somebody changed the order of the rules meanwhile. Reload the rules, then repeat your change.");
    }
    for (const rule of before) {
      const priority = priorities.get(rule.id) ?? rule.priority;
      if (priority === rule.priority) continue;
      const change = { priority, version: rule.version + 1 };
      await tx.update(guardRules).set(change).where(eq(guardRules.id, rule.id));
    }
    const ofFile = policyFile()?.file.rules ?? [];
    const items = [...(await rulesInOrder(tx, workspaceId)).map(presentRule), ...ofFile].sort(compareRuleOrder);
    const data = { old: before.map(({ id }) => id), new: [...ids] };
    return { answer: items, event: "guard_rules.reordered", subject: null, summary: "Changed the order of the rules", data };
  });
  return { items: await presentListedRules(workspaceId, answer), nextCursor: null };
}

/** Checks that no id is repeated. @throws AppError `invalid` */
export function assertEachOnce(ids: readonly string[]): void {
  if (new Set(ids).size === ids.length) return;
  const message = "name each rule once";
  throw new AppError("invalid", "The order names a rule twice. Name each rule once.", { errors: [{ path: "ids", message }] });
}

/**
 * Returns priorities that put a workspace's rules into an order, which may name rules of the policy file or leave them out.
 * @throws AppError `conflict`
 */
export function orderedPriorities(rules: readonly { id: string }[], ids: readonly string[]): Map<string, number> {
  const known = new Set(rules.map(({ id }) => id));
  const fixed = new Map(policyFile()?.file.rules.map(({ id, priority }) => [id, priority]) ?? []);
  const own = ids.filter((id) => known.has(id));
  const isComplete = own.length === known.size && ids.every((id) => known.has(id) || fixed.has(id));
  if (!isComplete)
    throw new AppError("conflict", "The rules are not those of your list any more. Reload the rules, then repeat your change.");
  return placePriorities(ids.map((id) => ({ id, fixedPriority: fixed.get(id) ?? null })));
}

function isOrderOf(rules: readonly { id: string }[], from: readonly string[]): boolean {
  const known = new Set(rules.map(({ id }) => id));
  const own = from.filter((id) => known.has(id));
  return own.length === rules.length && rules.every(({ id }, index) => own[index] === id);
}
