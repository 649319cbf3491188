import "server-only";
import { asc, eq } from "drizzle-orm";
import type { Conversation } from "@/contracts/conversations/conversations";
import type { Db } from "@/db/client";
import { activations, agents, type conversations } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findConversation } from "./find-conversation";

/** Returns the activated extension tools of a conversation, oldest activation first. */
export async function activatedTools(tx: Db, conversationId: string): Promise<string[]> {
  const rows = await tx
    .select({ toolName: activations.toolName })
    .from(activations)
    .where(eq(activations.conversationId, conversationId))
    .orderBy(asc(activations.createdAt), asc(activations.toolName));
  return rows.map(({ toolName }) => toolName);
}

export async function getConversation(actor: Authorized<"turns:read">, conversationId: string): Promise<Conversation> {
  const row = await findConversation(actor, conversationId);
  const [agent] = await db().select().from(agents).where(eq(agents.id, row.agentId));
  if (!agent) throw new AppError("not_found", "The agent of this conversation does not exist any more.");
  return presentConversation(row, agent, row.activated);
}

/** Converts a conversation to its public form; no other code does. */
export function presentConversation(
  row: typeof conversations.$inferSelect,
  agent: typeof agents.$inferSelect,
  activated: readonly string[],
): Conversation {
  return {
    id: row.id,
    agentId: agent.id,
    agent: agent.name,
    channel: row.channel,
    place: row.place,
    externalId: row.externalId,
    origin: row.origin,
    interactive: row.interactive,
    metadata: row.metadata,
    parentConversationId: row.parentConversationId,
    delegators: row.delegators,
    activatedTools: [...activated],
    createdAt: row.createdAt.toISOString(),
  };
}
