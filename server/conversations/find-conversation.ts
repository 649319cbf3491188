import "server-only";
import { and, eq } from "drizzle-orm";
import { agents, conversations, workspaces } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";

export type ConversationRow = typeof conversations.$inferSelect & {
  agent: typeof agents.$inferSelect;
  /** The workspace's config version, read with the row so that caches need no query of their own. */
  configVersion: number;
};

/**
 * A conversation that the actor may see: of its workspace and, for a key that is bound to an agent, of that agent.
 * @throws AppError `not_found`.
 */
export async function findConversation(actor: Actor, conversationId: string): Promise<ConversationRow> {
  const [row] = await db()
    .select({ conversation: conversations, agent: agents, configVersion: workspaces.configVersion })
    .from(conversations)
    .innerJoin(agents, eq(conversations.agentId, agents.id))
    .innerJoin(workspaces, eq(conversations.workspaceId, workspaces.id))
    .where(and(eq(conversations.id, conversationId), eq(conversations.workspaceId, actor.workspaceId)));
  if (!row || !maySee(actor, row.conversation)) {
    throw new AppError("not_found", "This conversation does not exist, or belongs to another agent. POST /api/v1/conversations opens one.");
  }
  return { ...row.conversation, agent: row.agent, configVersion: row.configVersion };
}

/** A key that is bound to an agent sees that agent's conversations only. */
export function maySee(actor: Actor, conversation: { agentId: string }): boolean {
  return actor.agentId === null || actor.agentId === conversation.agentId;
}
