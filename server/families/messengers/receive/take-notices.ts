import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { messengerChats, messengerOutbound } from "@/db/schema";
import { storableText } from "@/server/platform/database/storable";
import { AppError } from "@/server/platform/errors";
import type { MessengerRow } from "../account";
import type { Notice } from "../drivers/driver";
import { endPart } from "../end-part";
import { followMove } from "./follow-move";

/** Takes what a platform says later about messages and chats. @throws AppError `unavailable` for a notice that must come again */
export async function takeNotices(tx: Db, messenger: MessengerRow, notices: readonly Notice[]): Promise<void> {
  for (const notice of notices) {
    if (notice.kind === "moved") await followMove(tx, messenger, notice);
    else await noteUndelivered(tx, messenger, notice);
  }
}

type Undelivered = Extract<Notice, { kind: "undelivered" }>;

const messageKinds = ["text", "card", "file"];

async function noteUndelivered(tx: Db, messenger: MessengerRow, { chat, messageRef, reason }: Undelivered): Promise<void> {
  const ofMessenger = eq(messengerOutbound.messengerId, messenger.id);
  const [part] = await tx
    .select()
    .from(messengerOutbound)
    .where(
      and(ofMessenger, eq(messengerOutbound.messageRef, messageRef), inArray(sql`${messengerOutbound.content} ->> 'kind'`, messageKinds)),
    );
  if (part?.status === "sent") return endPart(tx, messenger, part, "failed", storableText(reason).slice(0, 500));
  if (part) return;
  const [sending] = await tx
    .select({ id: messengerOutbound.id })
    .from(messengerOutbound)
    .innerJoin(messengerChats, eq(messengerChats.id, messengerOutbound.chatId))
    .where(and(ofMessenger, eq(messengerChats.chat, chat), eq(messengerOutbound.status, "sending")))
    .limit(1);
  // The platform may be quicker than our note of the message's id.
  if (sending) throw new AppError("unavailable", "A message of this chat is being sent. Send the status again.");
}
