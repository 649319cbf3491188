import "server-only";
import { eq } from "drizzle-orm";
import { conversations, messengerInbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { mayStartLater, startRunFor } from "@/server/runs/starts/start-run-for";
import { type ChatContext, type InboundRow, requesterOf, type Spoken } from "../chat-context";
import { endRow } from "../end-row";
import { findOpenRun } from "../open-run";
import { notify } from "../parts";
import { platformTitle } from "../place-of-chat";
import { takeFiles } from "../receive/take-files";
import { showWhileWritten } from "../show-while-written";
import { failureWords } from "../text/failure-words";

/** The key of the run that answers a message: a repeated attempt finds the same run. */
export const runKeyOf = (inboundId: string): string => `messenger:${inboundId}`;
export const inboundIdOf = (runKey: string | null): string | null =>
  runKey?.startsWith("messenger:") ? runKey.slice("messenger:".length) : null;

/** Starts the run of a batch, once whatever the number of attempts. */
export async function startAnswer(context: ChatContext, { row, contact }: Spoken): Promise<void> {
  const { chat, messenger } = context;
  const { conversationId } = row;
  const [conversation] = conversationId ? await db().select().from(conversations).where(eq(conversations.id, conversationId)) : [];
  if (!conversation) return endRow(row, "failed", { error: "The conversation was deleted." });
  try {
    const { message, attachments } = await messageOf(context, row, conversation);
    const run = await startRunFor(await requesterOf(contact), {
      workspaceId: messenger.workspaceId,
      agentId: conversation.agentId,
      conversationId: conversation.id,
      message,
      attachments,
      idempotencyKey: runKeyOf(row.id),
    });
    await endRow(row, "done", { runId: run.id });
    showWhileWritten(context, row, run.id);
  } catch (error) {
    // Somebody wrote in the console meanwhile: the end of that run looks here again.
    if (isAppError(error) && error.code === "conflict" && (await findOpenRun({ chat: { ...chat, conversationId } }))) return;
    if (mayStartLater(error)) throw error;
    const reason = isAppError(error) ? error.message : "The run could not start.";
    await endRow(row, "failed", { error: reason });
    await notify(db(), chat, `failed:${row.id}`, failureWords(messenger.platform, reason));
  }
}

type Conversation = typeof conversations.$inferSelect;

/** The message for the agent. It is stored before the run starts, because files are downloaded once only. */
async function messageOf(
  context: ChatContext,
  row: InboundRow,
  conversation: Conversation,
): Promise<{ message: string; attachments: string[] }> {
  if (row.attachments) return { message: row.prompt ?? "", attachments: row.attachments };
  const { taken, notes } = await takeFiles(context, row.files, conversation);
  const attachments = taken.map(({ path }) => path);
  const message = wholeMessage(context, row, [row.prompt ?? "", ...notes]);
  await db().update(messengerInbound).set({ prompt: message, attachments }).where(eq(messengerInbound.id, row.id));
  return { message, attachments };
}

/** The message for the agent, from the texts of a batch. */
export function wholeMessage(context: ChatContext, row: InboundRow, texts: readonly string[]): string {
  const spoken = texts.filter((text) => text.trim() !== "").join("\n");
  return `${senderLine(context, row)}${spoken || "(empty message)"}`;
}

/** In a group the agent is told who writes. Names hold no line breaks, so that nobody writes a line of this kind. */
function senderLine({ chat, messenger }: ChatContext, { senderName, senderId }: InboundRow): string {
  if (chat.kind === "private") return "";
  const where = chat.title ? ` / Chat: ${chat.title}` : "";
  return `[Channel: ${platformTitle(messenger.platform)} / Sender: ${senderName || senderId}${where}]\n`;
}
