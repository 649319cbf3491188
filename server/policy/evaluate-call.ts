import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { Evaluation } from "@/contracts/guard";
import type { EvaluatedContext } from "@/contracts/rule-conditions";
import { findAgent } from "@/server/agents/find-agent";
import type { Authorized } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { decide } from "@/server/guard/decide";
import type { GuardContext } from "@/server/guard/guard-request";
import { patternSubjectText } from "@/server/guard/pattern-subject";
import { db } from "@/server/platform/database";
import { sharedNowMs } from "@/server/platform/shared-clock";
import { callerLimits } from "./caller-limits";
import { findGuardedTool } from "./find-guarded-tool";
import { escalatedSentence, programPlaceContext } from "./own-tools";
import { loadPolicy } from "./policy";
import { programContext } from "./program-context";

/**
 * Decides a call with the current policy, optionally as if in a conversation. Runs nothing and records nothing.
 * @throws AppError `not_found` for the tool or the conversation
 */
export async function evaluateCall(
  actor: Authorized<"guard:read">,
  { tool: name, arguments: args, context = {} }: { tool: string; arguments: JsonObject; context?: EvaluatedContext },
): Promise<Evaluation> {
  const tool = await findGuardedTool(db(), actor.workspaceId, name);
  const { at, conversationId, ...known } = context;
  const callContext = conversationId === undefined ? contextOf(known) : await contextIn(actor, conversationId, known);
  const policy = await loadPolicy(actor.workspaceId);
  const place = conversationId === undefined ? {} : await programPlaceContext(tool, args, conversationId);
  const call = { tool, arguments: args, context: { ...callContext, ...place } };
  const { ruleDigest: _digest, policyFile: _file, grantId: _grant, ...decided } = decide(policy, call, at ? Date.parse(at) : sharedNowMs());
  const evaluation = { ...decided, tool: tool.name, seen: patternSubjectText(call, null) };
  // A turn refuses direct calls of escalate tools before the guard, so no rule can allow them and nobody is asked.
  return tool.surface === "escalate" ? { ...evaluation, verdict: "deny", reason: escalatedSentence(tool.name), ruleId: null } : evaluation;
}

type Known = Omit<EvaluatedContext, "at" | "conversationId">;

/** Builds the context of a call outside any conversation. The agent may be given by id or name, so the value serves as both. */
function contextOf({ agent, interactive = true, ...known }: Known): GuardContext {
  // An operator evaluates the call, so the call has an operator's trust.
  return {
    ...known,
    ...programContext(),
    interactive,
    trust: "operator",
    ...(agent === undefined ? {} : { agent: { id: agent, name: agent } }),
  };
}

/** Builds the context of a call in a turn of the conversation that the given actor, or else this one, would submit. */
async function contextIn(actor: Authorized<"guard:read">, conversationId: string, known: Known): Promise<GuardContext> {
  const conversation = await findConversation(actor, conversationId);
  const agent = await findAgent(db(), actor.workspaceId, conversation.agentId);
  const { interactive, channel, origin, refusals } = conversation;
  const { limits } = callerLimits({ type: actor.type, id: actor.id, name: actor.name }, agent, null);
  return {
    ...(known.actor ? { actor: known.actor } : {}),
    trust: "operator",
    limits,
    interactive,
    channel,
    origin,
    conversationId,
    agent: { id: agent.id, name: agent.name },
    folder: workspaceFolder(conversation, agent),
    ...programContext(conversationId),
    refusals: refusals ?? [],
  };
}
