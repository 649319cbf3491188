import "server-only";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { messengerInbound } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { knowSender } from "@/server/contacts/know-sender";
import type { MessengerRow } from "../account";
import { type ChatRow, contactRef } from "../chat-context";
import type { InboundEvent } from "../drivers/driver";
import { notify } from "../parts";

type Refused = { inboundId: string; chat: ChatRow; event: InboundEvent; refusal: string };

/** Notes a message that no agent reads, and tells its sender. A sender who is not confirmed may be forged, and gets no answer. */
export async function refuseEvent(tx: Db, messenger: MessengerRow, { inboundId, chat, event, refusal }: Refused): Promise<void> {
  const { workspaceId, id: messengerId, writers, name } = messenger;
  const { sender, isVerified = true } = event;
  const known = { workspaceId, messengerId, address: sender.id, name: sender.name, chat: chat.kind === "private" ? chat.chat : null };
  const contact = isVerified ? (await knowSender(tx, known, { isAdmitted: writers === "anyone" })).contact : null;
  if (contact) await tx.update(messengerInbound).set({ contactId: contact.id }).where(eq(messengerInbound.id, inboundId));
  await record(tx, {
    workspaceId,
    event: "messenger.message_refused",
    actor: contact ? contactRef(contact) : systemActor,
    subject: messengerId,
    data: { messenger: name, sender: sender.id, reason: refusal },
  });
  if (contact && chat.kind === "private") await notify(tx, chat, `refused:${inboundId}`, refusal);
}
