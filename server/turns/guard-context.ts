import type { GuardContext } from "@/server/guard/call/guard-request";
import { callerLimits } from "@/server/policy/caller-limits";
import { machineContext } from "@/server/policy/machine-context";
import { programContext } from "@/server/policy/program-context";
import type { DecisionContext } from "./turn-context";

/** Builds the guard's context of a turn's calls: origin, agent, actor, limits, and the folder and machine where the calls run. */
export function toGuardContext({
  agent,
  conversation,
  turn,
  folder,
  keyLimits,
  scope,
  repositoryPolicy,
}: Pick<DecisionContext, "agent" | "conversation" | "turn" | "folder" | "keyLimits" | "scope" | "repositoryPolicy">): GuardContext {
  const { interactive, channel, origin } = conversation;
  return {
    interactive,
    channel,
    origin,
    conversationId: conversation.id,
    agent: { id: agent.id, name: agent.name },
    actor: turn.requestedBy,
    ...(turn.machine ? machineContext(turn.machine) : { folder, ...programContext(conversation.id) }),
    ...(repositoryPolicy ? { repositoryPolicy } : {}),
    refusals: conversation.refusals ?? [],
    ...callerLimits(turn.requestedBy, agent, keyLimits, delegatorsOf(conversation, scope)),
  };
}

/** The agents that handed the task on, as they are now. One that is gone permits nothing. */
function delegatorsOf({ delegators }: DecisionContext["conversation"], { catalog }: DecisionContext["scope"]) {
  return delegators.map(({ agentId, agent }) => catalog.agents.get(agentId) ?? { name: agent, allowedEffects: [] });
}
