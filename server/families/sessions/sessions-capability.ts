import "server-only";
import { defineCapability } from "@/server/capabilities/define-capability";
import { ownerOf } from "@/server/conversations/conversation-owner";
import { readConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { listSessions, type Session, type SessionOwner } from "./list-sessions";
import { type FoundSession, searchSessions } from "./search-sessions";

/** Other conversations of the same owner with the same agent. */
export type SessionsCapability = {
  /** Lists them, the latest message first. */
  recent: (limit: number) => Promise<Session[]>;
  /** Finds those in which words were said or done, best first. */
  search: (query: string, limit: number) => Promise<FoundSession[]>;
};

export const sessions = defineCapability({
  name: "sessions",
  title: "Earlier conversations of the same person with the agent",
  isOfConversation: true,
  create: ({ conversationId }): SessionsCapability => ({
    recent: async (limit) => listSessions(db(), await findOwner(conversationId), limit),
    search: async (query, limit) => searchSessions(db(), await findOwner(conversationId), { query, limit }),
  }),
});

async function findOwner(conversationId: string): Promise<SessionOwner> {
  const conversation = await readConversation(conversationId);
  if (!conversation) throw new AppError("not_found", "This conversation does not exist any more, so it has no earlier ones.");
  const { workspaceId, agentId, rootConversationId } = conversation;
  const without = [conversationId, ...(rootConversationId ? [rootConversationId] : [])];
  return { workspaceId, agentId, ownerKey: await ownerOf(conversation), without };
}
