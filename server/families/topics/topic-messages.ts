import "server-only";
import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { TopicMessage, TopicMessageDraft } from "@/contracts/agents/topics";
import { agents, topicDeliveries, topicMessages, topicWatches } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { findTopic } from "./manage-topics";
import { type MessageRow, sendMessage } from "./send-message";

const keptDays = 30;

/** Sends a message of a person or a program. @throws AppError `not_found` */
export async function sendToTopic(actor: Authorized<"topics:write">, topicId: string, { text }: TopicMessageDraft): Promise<TopicMessage> {
  return db().transaction(async (tx) => {
    const topic = await findTopic(tx, actor.workspaceId, topicId);
    const row = await sendMessage(tx, topic, { text, by: actor, requestId: actor.requestId });
    return presentMessage(row, topic.name, []);
  });
}

/** Lists the messages of a topic with what became of them, newest first. @throws AppError `not_found` */
export async function listMessages(
  actor: Authorized<"turns:read">,
  topicId: string,
  { limit = 50, cursor }: { limit?: number; cursor?: string | undefined } = {},
): Promise<{ items: TopicMessage[]; nextCursor: string | null }> {
  const topic = await findTopic(db(), actor.workspaceId, topicId);
  const found = await db()
    .select()
    .from(topicMessages)
    .where(
      and(eq(topicMessages.topicId, topicId), cursor === undefined ? undefined : lt(topicMessages.id, decodeCursor(cursor, IdCursor)[0])),
    )
    .orderBy(desc(topicMessages.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  const deliveries = await loadDeliveries(rows.map(({ id }) => id));
  return { items: rows.map((row) => presentMessage(row, topic.name, deliveries.get(row.id) ?? [])), nextCursor };
}

/** Removes messages that are older than a month, with their deliveries. */
export async function removeOldMessages(): Promise<void> {
  await db()
    .delete(topicMessages)
    .where(lt(topicMessages.createdAt, sql`now() - make_interval(days => ${keptDays})`));
}

type Deliveries = TopicMessage["deliveries"];

async function loadDeliveries(messageIds: readonly string[]): Promise<Map<string, Deliveries>> {
  if (messageIds.length === 0) return new Map();
  const { messageId, outcome, reason, conversationId, runId } = topicDeliveries;
  const rows = await db()
    .select({ messageId, outcome, reason, conversationId, runId, watch: topicWatches.name, agent: agents.name })
    .from(topicDeliveries)
    .innerJoin(topicWatches, eq(topicWatches.id, topicDeliveries.watchId))
    .innerJoin(agents, eq(agents.id, topicWatches.agentId))
    .where(inArray(messageId, [...messageIds]))
    .orderBy(topicDeliveries.id);
  const of = Map.groupBy(rows, (row) => row.messageId);
  return new Map([...of].map(([id, some]) => [id, some.map(({ messageId: _, ...delivery }) => delivery)]));
}

function presentMessage(row: MessageRow, topic: string, deliveries: Deliveries): TopicMessage {
  const { id, topicId, text, sender, senderAgentId, conversationId, depth, createdAt } = row;
  return { id, topicId, topic, text, sender, senderAgentId, conversationId, depth, deliveries, createdAt: createdAt.toISOString() };
}
