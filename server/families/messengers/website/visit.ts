import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { messengerEndpoints, Visit, type VisitAnswer, VisitedFile } from "@/contracts/messengers";
import { messengerChats, messengerOutbound, messengers } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs";
import { attachment } from "@/server/endpoints/attachment";
import { readRequestBytes } from "@/server/endpoints/read-request-bytes";
import { type Reply, reply } from "@/server/endpoints/reply";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { AppError, errorStatuses, isAppError } from "@/server/platform/errors";
import { fieldErrors } from "@/server/platform/field-errors";
import { processWide } from "@/server/platform/process-wide";
import { findMessenger, type MessengerRow } from "../account";
import { storeEvents } from "../store-events";
import { readOrigins } from "./site-origins";
import { countMessage, countVisit } from "./visit-limits";
import { readVisitorChat } from "./visitor-messages";

/**
 * Takes a visitor's message from a page of a website, and answers the chat so far. Only pages of the sites that the messenger names may
 * read the answer. @throws AppError `not_found`, `foreign_origin`
 */
export async function visit(request: Request, id: string): Promise<Reply<VisitAnswer> | Response> {
  const { messenger, origin } = await openWebsite(request, id);
  return readable(origin, async () => {
    const { visitor, tag, message } = await readBody(request, Visit, messengerEndpoints.visit.maxBodyBytes);
    const chat = chatOf(id, visitor);
    countVisit(chat);
    if (message) await storeMessage(messenger, { chat, origin, message });
    const { messages, isWorking } = await readVisitorChat(id, chat);
    const { settings, name } = messenger;
    const head = { title: settings.title?.trim() || name, greeting: settings.greeting?.trim() ?? "", isWorking };
    const now = sha256(JSON.stringify([head, messages])).slice(0, 32);
    return reply({ ...head, tag: now, messages: now === tag ? null : messages }, { headers: headersFor(origin) });
  });
}

/** Answers a file that was sent to the visitor. @throws AppError `not_found`, `foreign_origin` */
export async function visitFile(request: Request, { id, partId }: { id: string; partId: string }): Promise<Response> {
  const { origin } = await openWebsite(request, id);
  return readable(origin, async () => {
    const { visitor } = await readBody(request, VisitedFile, messengerEndpoints.visitFile.maxBodyBytes);
    const chat = chatOf(id, visitor);
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
  });
}

/** The chat's id says nothing about the visitor's secret. */
const chatOf = (messengerId: string, visitor: string): string => `visitor-${sha256(`${messengerId} ${visitor}`).slice(0, 32)}`;

const headersFor = (origin: string) => ({ "access-control-allow-origin": origin, vary: "origin" });

async function openWebsite(request: Request, id: string): Promise<{ messenger: MessengerRow; origin: string }> {
  const messenger = await findMessenger(id);
  if (!messenger?.enabled || messenger.platform !== "website")
    throw new AppError("not_found", "No chat is shown at this address. Copy the line for the pages again from the page Messengers.");
  const origin = request.headers.get("origin") ?? "";
  if (readOrigins(messenger.settings.origins ?? "").origins.includes(origin)) return { messenger, origin };
  if (origin !== "") await noteForeign(messenger, origin.slice(0, 200));
  throw new AppError("foreign_origin", "This page is on none of the sites that the messenger names.");
}

const noted = () => processWide("messengers.foreignSites", () => new Map<string, number>());

/** Tells the admin of a page elsewhere, at most once a minute, because strangers choose the origin. */
async function noteForeign({ id }: MessengerRow, origin: string): Promise<void> {
  const now = Date.now();
  if (now - (noted().get(id) ?? 0) < 60_000) return;
  noted().set(id, now);
  const lastError = `A page of ${origin} asked for the chat. It is none of the messenger's sites.`;
  await db().update(messengers).set({ lastError, lastErrorAt: sql`now()` }).where(eq(messengers.id, id));
}

/** A refusal has the header as well, so that the page can show its sentence. */
async function readable<T>(origin: string, answer: () => Promise<T>): Promise<T | Response> {
  try {
    return await answer();
  } catch (error) {
    if (!isAppError(error)) throw error;
    const status = errorStatuses[error.code];
    const { errors, retryAfterSeconds } = error.details;
    const problem = {
      type: "about:blank",
      title: "Refused",
      status,
      code: error.code,
      detail: error.message,
      ...(errors ? { errors } : {}),
    };
    const headers = { ...headersFor(origin), "cache-control": "no-store", "content-type": "application/problem+json" };
    const later: Record<string, string> = retryAfterSeconds ? { "retry-after": String(Math.ceil(retryAfterSeconds)) } : {};
    return new Response(JSON.stringify(problem), { status, headers: { ...headers, ...later } });
  }
}

async function readBody<T extends z.ZodType>(request: Request, schema: T, maxBytes: number): Promise<z.output<T>> {
  const bytes = await readRequestBytes(request, maxBytes);
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError("malformed", "The body is no JSON.", { cause: error });
  }
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  throw new AppError("invalid", `The body is not valid: ${errors[0]?.path}: ${errors[0]?.message}`, { errors });
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
