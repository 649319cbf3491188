import type { CallContext } from "@/server/guard/asked-call";
import { standingOf } from "@/server/guard/standing";
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
    ...standingOf(turn.requestedBy, agent, keyLimits),
  };
}
