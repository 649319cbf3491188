import "server-only";
import { eq } from "drizzle-orm";
import { activations, conversations } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { onSignal } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";

export type ConversationRow = typeof conversations.$inferSelect & {
  /** Extension tools that were enabled here, in the order in which that happened. */
  activated: readonly string[];
};

type Entry = { value: Promise<ConversationRow | null>; until: number };

/** A lost signal is made up for after this time. */
const lifeMs = 2_000;
const mostEntries = 10_000;

/** Conversations that calls came for a moment ago. Whoever changes one says so, here and on the other replicas. */
const entries = () =>
  processWide("conversations", () => {
    const cache = new Map<string, Entry>();
    onSignal("conversation", ({ conversationId }) => cache.delete(conversationId));
    return cache;
  });

/** To be called after a transaction that changed or removed a conversation; the others hear the signal a moment later. */
export function conversationChanged(conversationId: string): void {
  entries().delete(conversationId);
}

/**
 * A conversation that the actor may see: of its workspace and, for a key that is bound to an agent, of that agent.
 * @throws AppError `not_found`.
 */
export async function findConversation(actor: Actor, conversationId: string): Promise<ConversationRow> {
  const row = await rememberedConversation(conversationId);
  if (!row || row.workspaceId !== actor.workspaceId || !maySee(actor, row)) {
    throw new AppError("not_found", "This conversation does not exist, or belongs to another agent. POST /api/v1/conversations opens one.");
  }
  return row;
}

/** What is said when a conversation goes while something is done in it. */
export const deletedMeanwhile = () => new AppError("not_found", "This conversation was deleted meanwhile.");

/** A conversation as it was a moment ago at the most; null when there is none. */
export function rememberedConversation(conversationId: string): Promise<ConversationRow | null> {
  const cache = entries();
  const found = cache.get(conversationId);
  if (found && found.until > Date.now()) return found.value;
  const entry = { value: readConversation(conversationId), until: Date.now() + lifeMs };
  const forget = () => {
    if (cache.get(conversationId) === entry) cache.delete(conversationId);
  };
  if (cache.size >= mostEntries) cache.clear();
  cache.set(conversationId, entry);
  entry.value.then((row) => row === null && forget(), forget);
  return entry.value;
}

/** A conversation as its rows say now; null when there is none. */
export async function readConversation(conversationId: string): Promise<ConversationRow | null> {
  const rows = await db()
    .select({ conversation: conversations, toolName: activations.toolName })
    .from(conversations)
    .leftJoin(activations, eq(activations.conversationId, conversations.id))
    .where(eq(conversations.id, conversationId))
    .orderBy(activations.createdAt, activations.toolName);
  const [first] = rows;
  return first ? { ...first.conversation, activated: rows.flatMap(({ toolName }) => toolName ?? []) } : null;
}

/** A key that is bound to an agent sees that agent's conversations only. */
export function maySee(actor: Actor, conversation: { agentId: string }): boolean {
  return actor.agentId === null || actor.agentId === conversation.agentId;
}
