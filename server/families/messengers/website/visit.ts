import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { platformFacts } from "@/contracts/messengers/messenger-platforms";
import type { messengerEndpoints, VisitAnswer } from "@/contracts/messengers/messengers";
import { messengerChats, messengerOutbound, messengers } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import type { Handled } from "@/server/endpoints/answer";
import { attachment } from "@/server/endpoints/attachment";
import { type Reply, reply } from "@/server/endpoints/reply";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findMessenger, type MessengerRow } from "../account";
import { isFirstThisMinute } from "../once-a-minute";
import { storeEvents } from "../receive/store-events";
import { readOrigins } from "./site-origins";
import { countMessage, countVisit } from "./visit-limits";
import { readVisitorChat } from "./visitor-messages";

/**
 * Takes a visitor's message from a page of a website, and answers the chat so far. Only pages of the sites that the messenger names may
 * read the answer. @throws AppError `not_found`, `foreign_origin`, `too_many_requests`
 */
export async function visit({ request, params: { id }, body }: Handled<typeof messengerEndpoints.visit>): Promise<Reply<VisitAnswer>> {
  const { messenger, origin } = await openWebsite(request, id);
  const { visitor, tag, message } = body;
  const chat = chatOf(id, visitor);
  countVisit(chat);
  if (message) await storeMessage(messenger, { chat, origin, message });
  const { messages, isWorking } = await readVisitorChat(id, chat);
  const { settings, name } = messenger;
  const head = { title: settings.title?.trim() || name, greeting: settings.greeting?.trim() ?? "", isWorking };
  const now = sha256(JSON.stringify([head, messages])).slice(0, 32);
  return reply({ ...head, tag: now, messages: now === tag ? null : messages }, { headers: headersFor(origin) });
}

/** Answers a file that was sent to the visitor. @throws AppError `not_found`, `foreign_origin`, `too_many_requests` */
export async function visitFile({ request, params, body }: Handled<typeof messengerEndpoints.visitFile>): Promise<Response> {
  const { id, partId } = params;
  const { origin } = await openWebsite(request, id);
  const chat = chatOf(id, body.visitor);
  countVisit(chat);
  const [part] = await db()
    .select({ content: messengerOutbound.content })
    .from(messengerOutbound)
    .innerJoin(messengerChats, eq(messengerChats.id, messengerOutbound.chatId))
    .where(and(eq(messengerOutbound.id, partId), eq(messengerOutbound.messengerId, id), eq(messengerChats.chat, chat)));
  if (part?.content.kind !== "file") throw new AppError("not_found", "This file is not in the chat any more.");
  const { sha256: digest, name, mediaType, bytes } = part.content;
  const response = attachment((await blobs().read(digest)).stream, { name, mediaType, bytes });
  for (const [header, value] of Object.entries(headersFor(origin))) response.headers.set(header, value);
  return response;
}

/** The chat's id says nothing about the visitor's secret. */
const chatOf = (messengerId: string, visitor: string): string => `visitor-${sha256(`${messengerId} ${visitor}`).slice(0, 32)}`;

const headersFor = (origin: string) => ({ "access-control-allow-origin": origin, vary: "origin" });

async function openWebsite(request: Request, id: string): Promise<{ messenger: MessengerRow; origin: string }> {
  const messenger = await findMessenger(id);
  if (!messenger?.enabled || !platformFacts[messenger.platform].isVisited)
    throw new AppError("not_found", "No chat is shown at this address. Copy the line for the pages again from the page Messengers.");
  const origin = request.headers.get("origin") ?? "";
  if (readOrigins(messenger.settings.origins ?? "").origins.includes(origin)) return { messenger, origin };
  if (origin !== "") await noteForeign(messenger, origin.slice(0, 200));
  throw new AppError("foreign_origin", "This page is on none of the sites that the messenger names.");
}

/** Tells the admin of a page elsewhere. */
async function noteForeign({ id }: MessengerRow, origin: string): Promise<void> {
  if (!isFirstThisMinute(`${id} foreign site`)) return;
  const lastError = `A page of ${origin} asked for the chat. It is none of the messenger's sites.`;
  await db().update(messengers).set({ lastError, lastErrorAt: sql`now()` }).where(eq(messengers.id, id));
}

type Sent = { chat: string; origin: string; message: { key: string; text: string } };

async function storeMessage(messenger: MessengerRow, { chat, origin, message: { key, text } }: Sent): Promise<void> {
  countMessage(messenger.id, chat, messenger.settings.messagesPerMinute);
  const name = `Visitor ${chat.slice(-6)}`;
  await storeEvents(messenger, [
    {
      ...{ kind: "message", place: "private", chat, text, files: [], isMention: true },
      key: `message:${chat}:${key}`,
      title: `${name} on ${new URL(origin).host}`,
      messageRef: key,
      sender: { id: chat, name },
    },
  ]);
}
