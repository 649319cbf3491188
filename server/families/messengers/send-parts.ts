import "server-only";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { messengerOutbound, messengers } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { toErrorMessage } from "@/server/platform/errors";
import { bootId } from "@/server/platform/ids";
import { type ChatContext, loadChat, targetOf } from "./chat-context";
import { endPart } from "./end-part";
import { holdChat } from "./hold-chat";
import { failureOf, PlatformError } from "./platform-error";
import { sendToChat } from "./queues";
import { followMove } from "./receive/follow-move";

export type PartRow = typeof messengerOutbound.$inferSelect;

const maxRows = 100;
const maxAttempts = 12;
const maxPauseMs = 300_000;

/** Sends what waits for a chat, in order. */
export async function sendParts({ chatId }: { chatId: string }): Promise<void> {
  await holdChat(chatId, "sendingBy", { work: () => sendOpen(chatId), openRows: () => openParts(chatId) });
}

const isOpen = (chatId: string) =>
  and(
    eq(messengerOutbound.chatId, chatId),
    inArray(messengerOutbound.status, ["pending", "sending"]),
    // The message of an answer that is being written is sent beside.
    sql`${messengerOutbound.content} ->> 'kind' <> 'stream'`,
  );

export const openParts = async (chatId: string): Promise<string[]> =>
  (await db().select({ id: messengerOutbound.id }).from(messengerOutbound).where(isOpen(chatId)).limit(maxRows)).map(({ id }) => id);

/** Sends the open parts of a chat that the caller holds. @returns the parts that it has seen */
export async function sendOpen(chatId: string): Promise<ReadonlySet<string>> {
  const context = await loadChat(chatId);
  const rows = await db().select().from(messengerOutbound).where(isOpen(chatId)).orderBy(asc(messengerOutbound.id)).limit(maxRows);
  const seen = new Set(rows.map(({ id }) => id));
  // A messenger that is off sends when it is on again.
  if (!context) return seen;
  for (const row of rows) {
    const outcome = await sendOne(context, row);
    // The chat has another id now.
    if (outcome === "moved") return sendOpen(chatId);
    if (outcome === "later") break;
  }
  return seen;
}

/** `later`: the parts behind have to wait. `moved`: the platform named another chat, to which the part goes. */
type Outcome = "next" | "later" | "moved";

async function sendOne(context: ChatContext, row: PartRow): Promise<Outcome> {
  const { chat } = context;
  if (row.status === "sending" && !mayRepeat(context, row)) {
    await end(context, row, "unknown", "The server stopped while the part was sent. It may have arrived, so it is not repeated.");
    return "next";
  }
  if (row.nextAttemptAt && row.nextAttemptAt.getTime() > Date.now()) {
    await sendToChat(db(), chat, row.nextAttemptAt);
    return "later";
  }
  const attempts = row.attempts + 1;
  await db().update(messengerOutbound).set({ status: "sending", claimedBy: bootId(), attempts }).where(eq(messengerOutbound.id, row.id));
  try {
    const messageRef = await deliver(context, row);
    await db()
      .update(messengerOutbound)
      .set({ status: "sent", messageRef, error: null, sentAt: sql`now()`, claimedBy: null })
      .where(eq(messengerOutbound.id, row.id));
    await noteSent(context);
    return "next";
  } catch (error) {
    return settleFailure(context, { ...row, attempts }, error);
  }
}

/** Returns true when sending a part twice does no more than sending it once. */
function mayRepeat({ limits }: ChatContext, { content }: PartRow): boolean {
  return limits.repeatable || content.kind === "edit" || content.kind === "reaction";
}

async function settleFailure(context: ChatContext, row: PartRow, error: unknown): Promise<Outcome> {
  const movedTo = error instanceof PlatformError ? error.movedTo : null;
  if (movedTo && row.attempts < maxAttempts) {
    await db().transaction(async (tx) => {
      await tx.update(messengerOutbound).set({ status: "pending", claimedBy: null }).where(eq(messengerOutbound.id, row.id));
      await followMove(tx, context.messenger, { from: context.chat.chat, to: movedTo });
    });
    return "moved";
  }
  const failure = failureOf(error);
  const message = toErrorMessage(error).slice(0, 500);
  const isLater = failure === "rate" || failure === "unsent" || (failure === "unknown" && mayRepeat(context, row));
  if (!isLater || row.attempts >= maxAttempts) {
    await end(context, row, failure === "unknown" ? "unknown" : "failed", message);
    return "next";
  }
  const pause =
    error instanceof PlatformError && error.retryAfterMs > 0 ? error.retryAfterMs : Math.min(maxPauseMs, 1_000 * 2 ** (row.attempts - 1));
  const nextAttemptAt = new Date(Date.now() + pause);
  await db()
    .update(messengerOutbound)
    .set({ status: "pending", claimedBy: null, nextAttemptAt, error: message })
    .where(eq(messengerOutbound.id, row.id));
  await sendToChat(db(), context.chat, nextAttemptAt);
  return "later";
}

const end = ({ messenger }: ChatContext, row: PartRow, status: "unknown" | "failed", error: string): Promise<void> =>
  db().transaction((tx) => endPart(tx, messenger, row, status, error));

async function noteSent({ messenger }: ChatContext): Promise<void> {
  const isFresh = messenger.lastSentAt && Date.now() - messenger.lastSentAt.getTime() < 5_000;
  if (isFresh) return;
  await db().update(messengers).set({ lastSentAt: sql`now()` }).where(eq(messengers.id, messenger.id));
}

async function deliver({ chat, driver }: ChatContext, row: PartRow): Promise<string | null> {
  const { content } = row;
  const target = targetOf(chat);
  switch (content.kind) {
    case "text": {
      const shown = content.replacesStreamOf ? await shownMessage(chat.messengerId, content.replacesStreamOf) : null;
      if (shown && driver.edit) {
        const edited = await driver.edit(target, shown, content.text).then(
          () => true,
          (error: unknown) => {
            // Somebody deleted the message: the answer comes as a new one.
            if (failureOf(error) === "refused") return false;
            throw error;
          },
        );
        if (edited) return shown;
      }
      return driver.post(target, content, row.id);
    }
    case "card":
      return driver.post(target, content, row.id);
    case "file": {
      const bytes = await new Response((await blobs().read(content.sha256)).stream).bytes();
      const { name, mediaType, caption = "", as = "file" } = content;
      return driver.post(target, { kind: "file", name, mediaType, bytes, caption, as }, row.id);
    }
    case "edit": {
      const [part] = await db().select().from(messengerOutbound).where(eq(messengerOutbound.id, content.partId));
      if (part?.messageRef && driver.edit) await driver.edit(target, part.messageRef, content.text);
      else return driver.post(target, { kind: "text", text: content.text }, row.id);
      return part?.messageRef ?? null;
    }
    case "reaction":
      await driver.react?.(target, content.messageRef, content.emoji, content.isBig ?? false);
      return content.messageRef;
    case "stream":
      throw new Error("An answer that is being written is not sent by the queue");
  }
}

export const streamKeyOf = (runId: string): string => `stream:${runId}`;

/** The message that showed an answer while it was written. One whose sending was interrupted is not known, and stays as it is. */
async function shownMessage(messengerId: string, runId: string): Promise<string | null> {
  const [row] = await db()
    .select()
    .from(messengerOutbound)
    .where(and(eq(messengerOutbound.messengerId, messengerId), eq(messengerOutbound.key, streamKeyOf(runId))));
  if (row?.status === "sending") {
    const error = "The server stopped while the beginning of an answer was sent.";
    await db().update(messengerOutbound).set({ status: "unknown", error }).where(eq(messengerOutbound.id, row.id));
  }
  return row?.status === "sent" ? row.messageRef : null;
}
