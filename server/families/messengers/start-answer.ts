import "server-only";
import { eq } from "drizzle-orm";
import { agents, conversations, messengerInbound } from "@/db/schema";
import { addNewFile } from "@/server/capabilities/files/add-new-file";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { detectMediaType } from "@/server/mcp/connect/content/detect-media-type";
import { ModelFault } from "@/server/models/model-fault";
import { writeDownSpeech } from "@/server/models/write-down-speech";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { mayStartLater, startRunFor } from "@/server/runs/starts/start-run-for";
import { type ChatContext, type InboundRow, requesterOf, type Spoken } from "./chat-context";
import { endRow } from "./end-row";
import { findOpenRun } from "./open-run";
import { notify } from "./parts";
import { platformTitle } from "./place-of-chat";
import { showWhileWritten } from "./show-while-written";
import { failureWords } from "./text/failure-words";

/** Bytes of a file that is taken in. */
const mostFileBytes = 30 * 1_048_576;
const folder = "received";

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
  const { attachments, notes } = await takeFiles(context, row, conversation);
  const spoken = [row.prompt ?? "", ...notes].filter((text) => text.trim() !== "").join("\n");
  const message = `${senderLine(context, row)}${spoken || "(empty message)"}`;
  await db().update(messengerInbound).set({ prompt: message, attachments }).where(eq(messengerInbound.id, row.id));
  return { message, attachments };
}

/** In a group the agent is told who writes. Names hold no line breaks, so that nobody writes a line of this kind. */
function senderLine({ chat, messenger }: ChatContext, { senderName, senderId }: InboundRow): string {
  if (chat.kind === "private") return "";
  const where = chat.title ? ` / Chat: ${chat.title}` : "";
  return `[Channel: ${platformTitle(messenger.platform)} / Sender: ${senderName || senderId}${where}]\n`;
}

async function takeFiles({ driver, messenger }: ChatContext, { files }: InboundRow, conversation: Conversation) {
  const attachments: string[] = [];
  const notes: string[] = [];
  if (files.length === 0) return { attachments, notes };
  const [agent] = await db().select({ sharedFolder: agents.sharedFolder }).from(agents).where(eq(agents.id, conversation.agentId));
  for (const { ref, name, bytes: size, kind } of files) {
    if (size !== null && size > mostFileBytes) {
      notes.push(`[The file ${name} is larger than 30 MB and was not taken.]`);
      continue;
    }
    try {
      if (!driver.file || !agent) throw new Error("the platform hands out no files");
      const bytes = await driver.file(ref, mostFileBytes);
      if (bytes.byteLength === 0) throw new Error("it is empty");
      const path = await addNewFile(workspaceFiles(workspaceFolder(conversation, agent)), folder, { name, bytes });
      attachments.push(path);
      if (kind === "audio") notes.push(await voiceNote(messenger, path, bytes));
    } catch (error) {
      log().info({ err: error, conversationId: conversation.id }, "a file of a message could not be taken");
      notes.push(`[The file ${name} could not be taken from the platform.]`);
    }
  }
  return { attachments, notes };
}

/** Tells the agent what was said in a voice message, or why it was not written down. */
async function voiceNote({ workspaceId, speechModel }: ChatContext["messenger"], path: string, bytes: Uint8Array): Promise<string> {
  if (!speechModel) return `[A voice message: ${path}. It was not written down: no model for speech is set up.]`;
  try {
    const text = await writeDownSpeech(workspaceId, speechModel, { bytes, mediaType: detectMediaType(bytes) });
    return `[A voice message: ${path}. Written down by ${speechModel.model}:]\n${text}`;
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error;
    return `[A voice message: ${path}. It was not written down: ${error.message}]`;
  }
}
