import "server-only";
import { and, eq, like, sql } from "drizzle-orm";
import { messengerOutbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { toErrorMessage } from "@/server/platform/errors";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { shutdownSignal } from "@/server/platform/shutdown";
import { runFeed } from "@/server/runs/read/run-feed";
import { type ChatContext, type InboundRow, targetOf } from "./chat-context";
import { endPart } from "./end-part";
import { holdChat } from "./hold-chat";
import { failureOf, PlatformError } from "./platform-error";
import { openParts, sendOpen, streamKeyOf } from "./send-parts";
import { renderText } from "./text/text-styles";

const typingEveryMs = 4_000;
/** A shorter beginning is not worth a message of its own. */
const leastCharacters = 24;
const leastPauseMs = 2_000;

const shown = () => processWide("messengers.shown", () => ({ works: new Set<Promise<void>>(), stop: new AbortController() }));

/** Shows in the chat that the agent works, and its answer while it is written. Best effort: the answer itself is sent by its rows. */
export function showWhileWritten(context: ChatContext, row: InboundRow, runId: string): void {
  const work = show(context, row, runId).catch((error: unknown) =>
    log().debug({ err: error, runId }, "an answer was not shown while it was written"),
  );
  shown().works.add(work);
  void work.finally(() => shown().works.delete(work));
}

/** Ends what is shown, because the server stops. */
export async function stopShowing(): Promise<void> {
  const { works, stop } = shown();
  stop.abort();
  await Promise.all(works);
  shown().stop = new AbortController();
}

async function show(context: ChatContext, { messageRef }: InboundRow, runId: string): Promise<void> {
  const { chat, driver, messenger, limits } = context;
  const target = targetOf(chat);
  let isWorking = true;
  let text = "";
  let told = "";
  let position = -1;
  const type = () => {
    if (isWorking) void driver.typing?.(target, messageRef).catch(() => {});
  };
  type();
  const typing = setInterval(type, typingEveryMs);
  const streams = messenger.streams && limits.canEdit && driver.edit !== undefined;
  const everyMs = limits.editEveryMs[chat.kind === "private" ? "private" : "group"];
  let isWriting = false;
  let notBefore = 0;
  const write = async () => {
    if (
      isWriting ||
      Date.now() < notBefore ||
      text === told ||
      text.trim().length < leastCharacters ||
      renderText(text, limits.style).length > limits.text
    )
      return;
    isWriting = true;
    const now = text;
    const pauseMs = await writeOnce(context, runId, now).catch(() => 0);
    // A beginning that did not arrive is tried again.
    if (pauseMs > 0) notBefore = Date.now() + pauseMs;
    else told = now;
    isWriting = false;
  };
  const writing = streams ? setInterval(() => void write(), everyMs) : undefined;
  try {
    for await (const { event, data } of runFeed(runId, 0, AbortSignal.any([shutdownSignal(), shown().stop.signal]))) {
      if (event === "text.delta") {
        const delta = data as { position: number; text: string };
        text = delta.position === position ? text + delta.text : delta.text;
        position = delta.position;
      } else if (event === "step.restarted") text = "";
      else if (event === "run.updated") isWorking = (data as { status: string }).status === "running";
    }
  } finally {
    clearInterval(typing);
    clearInterval(writing);
  }
}

/**
 * Posts the beginning of an answer, or replaces it by more. The chat is held meanwhile, so that no late piece overwrites the answer that
 * the queue sends.
 * @returns milliseconds to wait before another attempt; 0 when the piece needs none
 */
async function writeOnce(context: ChatContext, runId: string, text: string): Promise<number> {
  const { chat, driver } = context;
  const key = streamKeyOf(runId);
  const target = targetOf(chat);
  const ofMessenger = eq(messengerOutbound.messengerId, chat.messengerId);
  let pauseMs = 0;
  const work = async () => {
    const [answer] = await db()
      .select({ id: messengerOutbound.id })
      .from(messengerOutbound)
      .where(and(ofMessenger, like(messengerOutbound.key, `run:${runId}:%`)))
      .limit(1);
    if (answer) return sendOpen(chat.id);
    const [row] = await db()
      .select()
      .from(messengerOutbound)
      .where(and(ofMessenger, eq(messengerOutbound.key, key)));
    if (row?.status === "sent" && row.messageRef) await driver.edit?.(target, row.messageRef, text);
    else if (!row) pauseMs = await postBeginning(context, { key, runId, text });
    return sendOpen(chat.id);
  };
  await holdChat(chat.id, "sendingBy", { work, openRows: () => openParts(chat.id) });
  return pauseMs;
}

type Beginning = { key: string; runId: string; text: string };

/** @returns milliseconds to wait before another attempt; 0 when there is none */
async function postBeginning({ chat, driver, messenger }: ChatContext, { key, runId, text }: Beginning): Promise<number> {
  const { id: chatId, messengerId, workspaceId } = chat;
  const content = { kind: "stream", text } as const;
  const values = { chatId, messengerId, workspaceId, key, runId, status: "sending", claimedBy: bootId(), content } as const;
  const [row] = await db().insert(messengerOutbound).values(values).returning();
  if (!row) throw new Error("The beginning of an answer was not stored");
  const ofRow = eq(messengerOutbound.id, row.id);
  try {
    const sent = await driver.post(targetOf(chat), { kind: "text", text }, row.id);
    await db().update(messengerOutbound).set({ status: "sent", messageRef: sent, claimedBy: null, sentAt: sql`now()` }).where(ofRow);
    return 0;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === "rate" || failure === "unsent") {
      await db().delete(messengerOutbound).where(ofRow);
      return Math.max(leastPauseMs, error instanceof PlatformError ? error.retryAfterMs : 0);
    }
    // The answer comes whole, as a message of its own.
    const reason = toErrorMessage(error).slice(0, 500);
    await db().transaction((tx) => endPart(tx, messenger, row, failure === "refused" ? "failed" : "unknown", reason));
    return 0;
  }
}
