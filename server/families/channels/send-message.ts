import "server-only";
import { and, eq, isNull, ne, or } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { channelDeliveries, channelMessages, channelWatches } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { enqueue } from "@/server/platform/queue";
import { deliveryQueue } from "./delivery-queue";
import type { ChannelRow } from "./present-channel";

export type MessageRow = typeof channelMessages.$inferSelect;

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
  { id: channelId, workspaceId, name }: ChannelRow,
  { text, by, agent, requestId = null }: Sent,
): Promise<MessageRow> {
  const conversationId = agent?.conversationId ?? null;
  const depth = 1 + (conversationId ? await depthOf(tx, conversationId) : 0);
  const sender = agent?.name ?? by.name;
  const values = { workspaceId, channelId, text, sender, senderAgentId: agent?.id ?? null, conversationId, depth };
  const [message] = await tx.insert(channelMessages).values(values).returning();
  if (!message) throw new Error("The message was not inserted");
  const watches = await tx
    .select({ id: channelWatches.id })
    .from(channelWatches)
    .where(
      and(
        eq(channelWatches.channelId, channelId),
        eq(channelWatches.enabled, true),
        or(isNull(channelWatches.filterSender), eq(channelWatches.filterSender, sender)),
        agent ? ne(channelWatches.agentId, agent.id) : undefined,
      ),
    );
  const items = watches.map(({ id: watchId }) => ({ workspaceId, input: { messageId: message.id, watchId } }));
  await enqueue(tx, deliveryQueue, items);
  await record(tx, {
    workspaceId,
    event: "channel.message_sent",
    actor: toActorRef(by),
    subject: message.id,
    agent: agent?.name ?? null,
    conversationId,
    data: { channel: name, sender, depth, watches: watches.length },
    requestId,
  });
  return message;
}

/** Returns the depth of the message that opened a conversation; 0 when none did. */
async function depthOf(tx: Db, conversationId: string): Promise<number> {
  const [opened] = await tx
    .select({ depth: channelMessages.depth })
    .from(channelDeliveries)
    .innerJoin(channelMessages, eq(channelMessages.id, channelDeliveries.messageId))
    .where(eq(channelDeliveries.conversationId, conversationId));
  return opened?.depth ?? 0;
}
