import "server-only";
import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { ChannelMessage, ChannelMessageDraft } from "@/contracts/channels";
import { agents, channelDeliveries, channelMessages, channelWatches } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { findChannel } from "./manage-channels";
import { type MessageRow, sendMessage } from "./send-message";

const keptDays = 30;

/** Sends a message of a person or a program. @throws AppError `not_found` */
export async function sendToChannel(
  actor: Authorized<"channels:write">,
  channelId: string,
  { text }: ChannelMessageDraft,
): Promise<ChannelMessage> {
  return db().transaction(async (tx) => {
    const channel = await findChannel(tx, actor.workspaceId, channelId);
    const row = await sendMessage(tx, channel, { text, by: actor, requestId: actor.requestId });
    return presentMessage(row, channel.name, []);
  });
}

/** Lists the messages of a channel with what became of them, newest first. @throws AppError `not_found` */
export async function listMessages(
  actor: Authorized<"turns:read">,
  channelId: string,
  { limit = 50, cursor }: { limit?: number; cursor?: string | undefined } = {},
): Promise<{ items: ChannelMessage[]; nextCursor: string | null }> {
  const channel = await findChannel(db(), actor.workspaceId, channelId);
  const found = await db()
    .select()
    .from(channelMessages)
    .where(
      and(
        eq(channelMessages.channelId, channelId),
        cursor === undefined ? undefined : lt(channelMessages.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(desc(channelMessages.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  const deliveries = await loadDeliveries(rows.map(({ id }) => id));
  return { items: rows.map((row) => presentMessage(row, channel.name, deliveries.get(row.id) ?? [])), nextCursor };
}

/** Removes messages that are older than a month, with their deliveries. */
export async function removeOldMessages(): Promise<void> {
  await db()
    .delete(channelMessages)
    .where(lt(channelMessages.createdAt, sql`now() - make_interval(days => ${keptDays})`));
}

type Deliveries = ChannelMessage["deliveries"];

async function loadDeliveries(messageIds: readonly string[]): Promise<Map<string, Deliveries>> {
  if (messageIds.length === 0) return new Map();
  const { messageId, outcome, reason, conversationId, runId } = channelDeliveries;
  const rows = await db()
    .select({ messageId, outcome, reason, conversationId, runId, watch: channelWatches.name, agent: agents.name })
    .from(channelDeliveries)
    .innerJoin(channelWatches, eq(channelWatches.id, channelDeliveries.watchId))
    .innerJoin(agents, eq(agents.id, channelWatches.agentId))
    .where(inArray(messageId, [...messageIds]))
    .orderBy(channelDeliveries.id);
  const of = Map.groupBy(rows, (row) => row.messageId);
  return new Map([...of].map(([id, some]) => [id, some.map(({ messageId: _, ...delivery }) => delivery)]));
}

function presentMessage(row: MessageRow, channel: string, deliveries: Deliveries): ChannelMessage {
  const { id, channelId, text, sender, senderAgentId, conversationId, depth, createdAt } = row;
  return { id, channelId, channel, text, sender, senderAgentId, conversationId, depth, deliveries, createdAt: createdAt.toISOString() };
}
