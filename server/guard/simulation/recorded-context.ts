import "server-only";
import type { ActorRef } from "@/contracts/common";
import { agents, conversations, turns } from "@/db/schema";
import { keyLimitsOf, noTrust } from "@/server/auth/key-limits";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import type { CallContext } from "../asked-call";
import { standingOf } from "../standing";

/** What is read of a recorded call's turn, conversation and agent, to know where it came from. */
export const contextColumns = {
  actor: turns.requestedBy,
  conversationId: turns.conversationId,
  channel: conversations.channel,
  origin: conversations.origin,
  interactive: conversations.interactive,
  agent: { id: agents.id, name: agents.name, sharedFolder: agents.sharedFolder, allowedEffects: agents.allowedEffects },
};

type ContextRow = {
  actor: ActorRef;
  conversationId: string;
  agent: Pick<typeof agents.$inferSelect, "id" | "name" | "sharedFolder" | "allowedEffects">;
} & Pick<typeof conversations.$inferSelect, "channel" | "origin" | "interactive">;

/**
 * Makes a function that tells where a recorded call came from: as the guard was told, with the limits that its agent and
 * its key have now. What was refused in the conversation is left out, as answers of people are.
 */
export async function recordedContexts(workspaceId: string): Promise<(row: ContextRow) => CallContext> {
  const keyLimits = await keyLimitsOf(workspaceId);
  return ({ actor, conversationId, channel, origin, interactive, agent }) => ({
    actor,
    conversationId,
    channel,
    origin,
    interactive,
    agent: { id: agent.id, name: agent.name },
    folder: workspaceFolder({ id: conversationId, workspaceId }, agent),
    ...standingOf(actor, agent, actor.type === "api_key" ? (keyLimits.get(actor.id) ?? noTrust) : null),
  });
}
