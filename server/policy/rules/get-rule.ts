import "server-only";
import type { ListedRule } from "@/contracts/guard/guard";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { findRule, ruleOfFile } from "./find-rule";
import { presentListedRules } from "./present-listed-rules";
import { presentRule } from "./present-rule";

/** Returns a rule of the actor's workspace or of the policy file. @throws AppError `not_found` */
export async function getRule({ workspaceId }: Authorized<"guard:read">, ruleId: string): Promise<ListedRule> {
  const rule = ruleOfFile(ruleId) ?? presentRule(await findRule(db(), workspaceId, ruleId));
  const [listed] = await presentListedRules(workspaceId, [rule]);
  if (!listed) throw new Error("A rule was not presented");
  return listed;
}
