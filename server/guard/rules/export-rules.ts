import "server-only";
import type { Answer } from "@/contracts/endpoint";
import { ruleFormats } from "@/contracts/guard";
import type { policyEndpoints } from "@/contracts/policy";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { rulesInOrder } from "./change-policy";
import { presentRule } from "./present-rule";

/** Every rule of the actor's workspace, to be kept or imported elsewhere. The answer's schema leaves out what belongs here only. */
export async function exportRules(actor: Holder<"guard:read">): Promise<Answer<typeof policyEndpoints.exportRules>> {
  const rules = (await rulesInOrder(db(), actor.workspaceId)).map(presentRule);
  return { schema: ruleFormats[0], exportedAt: new Date().toISOString(), count: rules.length, rules };
}
