import "server-only";
import { rememberedConversation } from "@/server/conversations/find-conversation";
import { AppError } from "@/server/platform/errors";
import { loadCatalog } from "@/server/tools/catalog";

/** The agent of a conversation, and whether it has a tool. */
export type ConversationAgent = { id: string; hasTool: (name: string) => boolean };

/** @throws AppError `not_found` */
export async function findConversationAgent(workspaceId: string, conversationId: string): Promise<ConversationAgent> {
  const conversation = await rememberedConversation(conversationId);
  if (!conversation) throw new AppError("not_found", "This conversation was deleted meanwhile.");
  const { agents, find } = await loadCatalog(workspaceId);
  const agent = agents.get(conversation.agentId);
  return { id: conversation.agentId, hasTool: (name) => agent?.effective.has(find(name)?.name ?? "") ?? false };
}
