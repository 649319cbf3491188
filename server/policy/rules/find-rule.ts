import "server-only";
import { and, eq } from "drizzle-orm";
import type { GuardRule } from "@/contracts/guard/guard";
import type { Db } from "@/db/client";
import { guardRules } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import { policyFile } from "../policy-file/policy-file";
import type { GuardRuleRow } from "./present-rule";

/** Finds a rule of the workspace. @throws AppError `not_found`; `conflict` for a rule of the policy file */
export async function findRule(tx: Db, workspaceId: string, ruleId: string): Promise<GuardRuleRow> {
  const inFile = ruleOfFile(ruleId);
  if (inFile) {
    throw new AppError("conflict", `The rule "${inFile.name}" comes from the policy file and can only be changed there.`);
  }
  const [rule] = await tx
    .select()
    .from(guardRules)
    .where(and(eq(guardRules.workspaceId, workspaceId), eq(guardRules.id, ruleId)));
  if (!rule) throw new AppError("not_found", "There is no such rule. It may have been removed; load the list again.");
  return rule;
}

/**
 * Finds a rule that is about to be changed.
 * @param version from If-Match
 * @throws AppError `not_found`, `conflict`, `stale_version`
 */
export async function findRuleAt(tx: Db, workspaceId: string, ruleId: string, version: number | null): Promise<GuardRuleRow> {
  const rule = await findRule(tx, workspaceId, ruleId);
  if (version !== null && version !== rule.version) {
    throw new AppError("stale_version", `Somebody changed the rule "${rule.name}" meanwhile. Reload the rule, then repeat your change.`);
  }
  return rule;
}

/** Returns a rule of the policy file; undefined for every other id. */
export function ruleOfFile(ruleId: string): GuardRule | undefined {
  return policyFile()?.file.rules.find(({ id }) => id === ruleId);
}
