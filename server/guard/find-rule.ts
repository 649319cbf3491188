import "server-only";
import { and, eq } from "drizzle-orm";
import type { GuardRule } from "@/contracts/guard";
import type { Db } from "@/db/client";
import { guardRules } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { type GuardRuleRow, presentRule } from "./present-rule";

/** @throws AppError `not_found` */
export async function findRule(tx: Db, workspaceId: string, ruleId: string): Promise<GuardRuleRow> {
  const [rule] = await tx
    .select()
    .from(guardRules)
    .where(and(eq(guardRules.workspaceId, workspaceId), eq(guardRules.id, ruleId)));
  if (!rule) throw new AppError("not_found", "There is no such rule. It may have been removed; load the list again.");
  return rule;
}

/**
 * A rule about to be changed.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`
 */
export async function findRuleAt(tx: Db, workspaceId: string, ruleId: string, version: number | null): Promise<GuardRuleRow> {
  const rule = await findRule(tx, workspaceId, ruleId);
  if (version !== null && version !== rule.version) {
    throw new AppError("stale_version", `Somebody changed the rule "${rule.name}" meanwhile. Load it again and repeat your change.`);
  }
  return rule;
}

/** One rule of the actor's workspace. */
export async function getRule(actor: Holder<"guard:read">, ruleId: string): Promise<GuardRule> {
  return presentRule(await findRule(db(), actor.workspaceId, ruleId));
}
