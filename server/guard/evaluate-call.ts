import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { Evaluation } from "@/contracts/guard";
import type { EvaluatedContext } from "@/contracts/rule-conditions";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import type { CallContext } from "./asked-call";
import { decide } from "./decide";
import { findGuardedTool } from "./find-guarded-tool";
import { policyOf } from "./policy";
import { seenText } from "./seen-text";

/** What would be decided about a call now. Runs nothing and records nothing. @throws AppError `not_found` */
export async function evaluateCall(
  actor: Holder<"guard:read">,
  { tool: name, arguments: args, context = { interactive: true } }: { tool: string; arguments: JsonObject; context?: EvaluatedContext },
): Promise<Evaluation> {
  const tool = await findGuardedTool(db(), actor.workspaceId, name);
  const policy = await policyOf(actor.workspaceId);
  const { at, ...known } = context;
  const call = { tool, arguments: args, context: callContextOf(known) };
  const { verdict, reason, ruleId, findings, trace, policyVersion } = decide(policy, call, at ? Date.parse(at) : Date.now());
  return { tool: tool.name, verdict, reason, ruleId, findings, trace, policyVersion, seen: seenText(call, null) };
}

/** An agent is named by its id or its name, so it stands for both. */
function callContextOf({ agent, ...known }: Omit<EvaluatedContext, "at">): CallContext {
  // Asked about by an operator, and so as an operator.
  return { ...known, trust: "operator", ...(agent === undefined ? {} : { agent: { id: agent, name: agent } }) };
}
