import type { ActorRef } from "@/contracts/common";
import type { TrustClass } from "@/contracts/trust";
import type { KeyLimits } from "@/server/auth/key-limits";
import type { CallContext } from "@/server/guard/asked-call";
import type { TurnContext } from "./turn-context";

/** Where the calls of a turn come from, for rules that ask for it. */
export function callContextOf({
  agent,
  conversation,
  turn,
  folder,
  keyLimits,
}: Pick<TurnContext, "agent" | "conversation" | "turn" | "folder" | "keyLimits">): CallContext {
  const { interactive, channel, origin } = conversation;
  return {
    interactive,
    channel,
    origin,
    conversationId: conversation.id,
    agent: { id: agent.id, name: agent.name },
    actor: turn.requestedBy,
    folder,
    refusals: conversation.refusals ?? [],
    limits: [
      ...(agent.allowedEffects ? [{ whose: `the agent ${agent.name}`, effects: agent.allowedEffects }] : []),
      ...(keyLimits?.allowedEffects ? [{ whose: `the API key ${turn.requestedBy.name}`, effects: keyLimits.allowedEffects }] : []),
    ],
    trust: trustOf(turn.requestedBy.type, keyLimits),
  };
}

/** A person of the workspace is an operator; what acts for somebody else has the least trust. */
function trustOf(type: ActorRef["type"], keyLimits: KeyLimits | null): TrustClass {
  if (type === "user") return "operator";
  return type === "api_key" && keyLimits ? keyLimits.trustClass : "child_agent";
}
