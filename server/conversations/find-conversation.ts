import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { activations, conversations, toolCalls, turns } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { onSignal } from "@/server/platform/signals/bus";

export type ConversationRow = typeof conversations.$inferSelect & {
  /** Activated extension tools, oldest activation first. */
  activated: readonly string[];
  /** Whether a call has the status `awaiting_approval`: its approval is pending, or is decided and the turn has not resumed yet. */
  hasQuestions: boolean;
};

type Entry = { value: Promise<ConversationRow | null>; until: number };

/** Lifetime of an entry, which bounds how long a lost signal leaves the entry stale. */
const lifeMs = 2_000;
const maxEntries = 10_000;

/** Cache of recently used conversations. Each change deletes the entry: here directly, on other replicas by a signal. */
const entries = () =>
  processWide("conversations", () => {
    const cache = new LRUCache<string, Entry>({ max: maxEntries });
    onSignal("conversation", ({ conversationId }) => cache.delete(conversationId));
    onSignal("approval", ({ conversationId }) => cache.delete(conversationId));
    return cache;
  });

/** Deletes a cached conversation. Call this after a transaction that changed or removed the conversation; other replicas get a signal. */
export function conversationChanged(conversationId: string): void {
  entries().delete(conversationId);
}

/**
 * Returns a conversation that the actor may see: of the same workspace and, for a key bound to an agent, of that agent.
 * @throws AppError `not_found`.
 */
export async function findConversation(actor: Actor, conversationId: string): Promise<ConversationRow> {
  const row = await rememberedConversation(conversationId);
  if (!row || row.workspaceId !== actor.workspaceId || !maySee(actor, row)) {
    throw new AppError("not_found", "This conversation does not exist, or belongs to another agent. POST /api/v1/conversations opens one.");
  }
  return row;
}

/** Error for a conversation that was deleted during an operation. */
export const deletedMeanwhile = () => new AppError("not_found", "This conversation was deleted meanwhile.");

/** Returns a conversation that is at most `lifeMs` old; null when there is none. */
export function rememberedConversation(conversationId: string): Promise<ConversationRow | null> {
  const cache = entries();
  const found = cache.get(conversationId);
  if (found && found.until > Date.now()) return found.value;
  const entry = { value: readConversation(conversationId), until: Date.now() + lifeMs };
  const forget = () => {
    if (cache.get(conversationId) === entry) cache.delete(conversationId);
  };
  cache.set(conversationId, entry);
  entry.value.then((row) => row === null && forget(), forget);
  return entry.value;
}

/** Query of a conversation with its activated tools; prepared once, because building the text costs more than the query. */
const query = () =>
  processWide("query.readConversation", () => {
    const id = sql.placeholder("id");
    const waiting = db()
      .select({ id: toolCalls.id })
      .from(turns)
      .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
      .where(and(eq(turns.conversationId, id), inArray(turns.status, ["running", "suspended"]), eq(toolCalls.status, "awaiting_approval")));
    return db()
      .select({ conversation: conversations, toolName: activations.toolName, hasQuestions: sql<boolean>`exists ${waiting}` })
      .from(conversations)
      .leftJoin(activations, eq(activations.conversationId, conversations.id))
      .where(eq(conversations.id, id))
      .orderBy(activations.createdAt, activations.toolName)
      .prepare("read_conversation");
  });

/** Reads a conversation from the database; null when there is none. */
export async function readConversation(conversationId: string): Promise<ConversationRow | null> {
  const rows = await query().execute({ id: conversationId });
  const [first] = rows;
  return first
    ? { ...first.conversation, hasQuestions: first.hasQuestions, activated: rows.flatMap(({ toolName }) => toolName ?? []) }
    : null;
}

/** Checks that the actor may see the conversation: a key bound to an agent sees only that agent's. */
export function maySee(actor: Actor, conversation: { agentId: string }): boolean {
  return actor.agentId === null || actor.agentId === conversation.agentId;
}
