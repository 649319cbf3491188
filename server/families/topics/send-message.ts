import "server-only";
import { and, eq, isNull, ne, or } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { topicDeliveries, topicMessages, topicWatches } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { enqueue } from "@/server/platform/queue";
import { deliveryQueue } from "./delivery-queue";
import type { TopicRow } from "./present-topic";

export type MessageRow = typeof topicMessages.$inferSelect;

type Sent = {
  text: string;
  by: ActorRef;
  /** The agent that sends, and the conversation in which it does. */
  agent?: { id: string; name: string; conversationId: string };
  requestId?: string | null;
};

/**
 * Sends a message in the caller's transaction, and queues it for every watch that wants it. An agent's own messages do not
 * start it again.
 */
export async function sendMessage(
  tx: Db,
  { id: topicId, workspaceId, name }: TopicRow,
  { text, by, agent, requestId = null }: Sent,
): Promise<MessageRow> {
  const conversationId = agent?.conversationId ?? null;
  const depth = 1 + (conversationId ? await depthOf(tx, conversationId) : 0);
  const sender = agent?.name ?? by.name;
  const values = { workspaceId, topicId, text, sender, senderAgentId: agent?.id ?? null, conversationId, depth };
  const [message] = await tx.insert(topicMessages).values(values).returning();
  if (!message) throw new Error("The message was not inserted");
  const watches = await tx
    .select({ id: topicWatches.id })
    .from(topicWatches)
    .where(
      and(
        eq(topicWatches.topicId, topicId),
        eq(topicWatches.enabled, true),
        or(isNull(topicWatches.filterSender), eq(topicWatches.filterSender, sender)),
        agent ? ne(topicWatches.agentId, agent.id) : undefined,
      ),
    );
  const items = watches.map(({ id: watchId }) => ({ workspaceId, input: { messageId: message.id, watchId } }));
  await enqueue(tx, deliveryQueue, items);
  await record(tx, {
    workspaceId,
    event: "topic.message_sent",
    actor: toActorRef(by),
    subject: message.id,
    agent: agent?.name ?? null,
    conversationId,
    data: { topic: name, sender, depth, watches: watches.length },
    requestId,
  });
  return message;
}

/** Returns the depth of the message that opened a conversation; 0 when none did. */
async function depthOf(tx: Db, conversationId: string): Promise<number> {
  const [opened] = await tx
    .select({ depth: topicMessages.depth })
    .from(topicDeliveries)
    .innerJoin(topicMessages, eq(topicMessages.id, topicDeliveries.messageId))
    .where(eq(topicDeliveries.conversationId, conversationId));
  return opened?.depth ?? 0;
}
