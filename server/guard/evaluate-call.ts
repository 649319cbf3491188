import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { Evaluation } from "@/contracts/guard";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { decide } from "./decide";
import { findGuardedTool } from "./find-guarded-tool";
import { policyOf } from "./policy";
import { seenText } from "./seen-text";

/** What would be decided about a call now. Runs nothing and records nothing. @throws AppError `not_found` */
export async function evaluateCall(
  actor: Holder<"guard:read">,
  { tool: name, arguments: args }: { tool: string; arguments: JsonObject },
): Promise<Evaluation> {
  const tool = await findGuardedTool(db(), actor.workspaceId, name);
  const policy = await policyOf(actor.workspaceId);
  const call = { tool, arguments: args, context: { interactive: true } };
  const { verdict, reason, ruleId, findings, trace, policyVersion } = decide(policy, call);
  const seen = seenText(call, null);
  return { tool: tool.name, verdict, reason, ruleId, findings, trace, policyVersion, seen: "text" in seen ? seen.text : "" };
}
