import "server-only";
import { and, eq, inArray, lt, notInArray, sql } from "drizzle-orm";
import { messengerChats, messengerInbound, messengerOutbound } from "@/db/schema";
import { removeOldLinkCodes } from "@/server/contacts/link-codes";
import { db } from "@/server/platform/database/database";
import { lookAtChat, sendToChat } from "./queues";

const atOnce = 500;
const keptDays = 30;
const minuteAgo = sql`now() - interval '1 minute'`;

/** Queues looks at chats with rows that wait, because a work item may be lost. A look that finds nothing new does nothing. */
export async function findLostMessages(): Promise<void> {
  const waiting = await chatsOf(
    messengerInbound,
    and(inArray(messengerInbound.status, ["pending", "started"]), lt(messengerInbound.receivedAt, minuteAgo)),
  );
  const unsent = await chatsOf(
    messengerOutbound,
    and(
      inArray(messengerOutbound.status, ["pending", "sending"]),
      lt(sql`coalesce(${messengerOutbound.nextAttemptAt}, ${messengerOutbound.createdAt})`, minuteAgo),
      sql`${messengerOutbound.content} ->> 'kind' <> 'stream'`,
    ),
  );
  for (const chat of waiting) await lookAtChat(db(), chat);
  for (const chat of unsent) await sendToChat(db(), chat);
}

function chatsOf(table: typeof messengerInbound | typeof messengerOutbound, where: ReturnType<typeof and>) {
  return db()
    .selectDistinct({ id: messengerChats.id, workspaceId: messengerChats.workspaceId })
    .from(table)
    .innerJoin(messengerChats, eq(messengerChats.id, table.chatId))
    .where(where)
    .limit(atOnce);
}

/** Removes old messages from the log. */
export async function removeOldMessages(): Promise<void> {
  const isOld = sql`now() - make_interval(days => ${keptDays})`;
  await db()
    .delete(messengerInbound)
    .where(and(notInArray(messengerInbound.status, ["pending", "started"]), lt(messengerInbound.receivedAt, isOld)));
  await db()
    .delete(messengerOutbound)
    .where(and(notInArray(messengerOutbound.status, ["pending", "sending"]), lt(messengerOutbound.createdAt, isOld)));
  await removeOldLinkCodes();
}
