import "server-only";
import { eq, sql } from "drizzle-orm";
import { conversations, messengerChats, messengerInbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { openTriggered } from "@/server/runs/starts/trigger";
import { maskInText } from "@/server/secrets/mask-secrets";
import { answerAsked, denyWaiting } from "../approvals/decide-in-chat";
import { agentOfChat, type ChatContext, contactRef, requesterOf, type Spoken } from "../chat-context";
import { endRow } from "../end-row";
import { findOpenRun } from "../open-run";
import { notify } from "../parts";
import { channelOf, placeOf } from "../place-of-chat";
import { lookAtChat } from "../queues";
import { startAnswer, wholeMessage } from "./start-answer";

/** Files without a text wait so long for the text to which they belong. */
const filesWaitMs = 3_600_000;
const maxWaitingFiles = 5;
/** A message that is nearly as long as the platform allows is usually the beginning of a longer paste. */
const pasteShare = 0.9;
const pasteWaitMs = 1_500;

/** Takes messages for the agent in order: one run after another. Messages that come meanwhile wait for its end. */
export async function takeTexts(given: ChatContext, spoken: readonly Spoken[]): Promise<void> {
  let context = given;
  let left = spoken;
  for (;;) {
    const lead = left.find(({ row }) => row.status === "started" || !isOnlyFiles(row));
    if (!lead) return holdFiles(context, left);
    if (lead.row.status === "started") {
      await startAnswer(context, lead);
      left = left.filter((other) => other !== lead);
      continue;
    }
    const answered = await answerAsked(context, lead, filesBefore(left, lead));
    if (answered.length > 0) {
      left = left.filter((other) => !answered.includes(other));
      continue;
    }
    if (await findOpenRun(context)) return denyWaiting(context, lead);
    const batch = batchOf(left, lead);
    const waitMs = joinWaitMs(context, batch);
    if (waitMs > 0) return lookAtChat(db(), context.chat, new Date(Date.now() + waitMs));
    const started = await beginBatch(context, batch);
    if (started) {
      // The first message begins the conversation: the next one must find its run.
      context = started.context;
      await startAnswer(context, started.lead);
    }
    left = left.filter((other) => !batch.includes(other));
  }
}

const isOnlyFiles = ({ text, files }: Spoken["row"]): boolean =>
  text.trim() === "" && files.length > 0 && !files.some(({ kind }) => kind === "audio");

/** Files without a text wait for it, and the person is told once. */
async function holdFiles({ chat }: ChatContext, held: readonly Spoken[]): Promise<void> {
  for (const { row } of held) {
    if (Date.now() - row.receivedAt.getTime() > filesWaitMs) await endRow(row, "ignored", { error: "No text followed the file." });
    else if (chat.kind === "private") {
      const names = row.files.map(({ name }) => name).join(", ");
      await notify(db(), chat, `files:${row.id}`, `Received ${names}. Write what to do with it.`);
    }
  }
}

/** The messages that become one: files that came before, and what the same person wrote until somebody else wrote. */
function batchOf(left: readonly Spoken[], lead: Spoken): Spoken[] {
  const after = left.slice(left.indexOf(lead) + 1);
  const end = after.findIndex((other) => !isOfSender(other, lead));
  return [...filesBefore(left, lead), lead, ...(end < 0 ? after : after.slice(0, end))];
}

/** The files of the same person that waited for this text. */
function filesBefore(left: readonly Spoken[], lead: Spoken): Spoken[] {
  const isRecent = ({ row }: Spoken) => lead.row.receivedAt.getTime() - row.receivedAt.getTime() < filesWaitMs;
  const files = left.slice(0, left.indexOf(lead)).filter((other) => isOfSender(other, lead) && isRecent(other));
  return files.slice(-maxWaitingFiles);
}

/** Returns true for messages of one person. One that nobody confirmed may be of anybody, so it never joins a confirmed one. */
const isOfSender = ({ row }: Spoken, lead: Spoken): boolean =>
  row.senderId === lead.row.senderId && row.isVerified === lead.row.isVerified && row.status === "pending";

function joinWaitMs({ messenger, limits }: ChatContext, batch: readonly Spoken[]): number {
  const last = batch.at(-1)?.row;
  if (!last) return 0;
  const wait = Math.max(messenger.joinSeconds * 1_000, last.text.length >= limits.text * pasteShare ? pasteWaitMs : 0);
  return Math.max(0, last.receivedAt.getTime() + wait - Date.now());
}

/** Makes the messages one and stores that, so that a repeated attempt starts the same run. */
async function beginBatch(context: ChatContext, batch: readonly Spoken[]) {
  const { chat, messenger } = context;
  const lead = batch.find(({ row }) => !isOnlyFiles(row));
  const agent = await agentOfChat(context);
  if (!lead) return null;
  if (!agent) {
    for (const { row } of batch) await endRow(row, "failed", { error: "The workspace has no agent." });
    await notify(db(), chat, `failed:${lead.row.id}`, "There is no agent here yet. An admin can add one in the console.");
    return null;
  }
  const requester = await requesterOf(lead.contact);
  return db().transaction(async (tx) => {
    const known = chat.conversationId
      ? (await tx.select({ agentId: conversations.agentId }).from(conversations).where(eq(conversations.id, chat.conversationId)))[0]
      : undefined;
    const channel = channelOf(messenger.platform, chat.kind);
    const conversationId =
      known?.agentId === agent.id && chat.conversationId
        ? chat.conversationId
        : await openTriggered(tx, {
            workspaceId: messenger.workspaceId,
            agent: { id: agent.id, name: agent.name },
            origin: "messenger",
            interactive: true,
            metadata: {},
            createdBy: requester,
            by: contactRef(lead.contact),
            kinship: { channel, place: placeOf(messenger, chat) },
            noted: { messenger: messenger.name, channel },
          });
    await tx.update(messengerChats).set({ conversationId }).where(eq(messengerChats.id, chat.id));
    const others = batch.filter((other) => other !== lead);
    const texts = batch.map(({ row }) => row.text);
    const files = batch.flatMap(({ row }) => row.files);
    // Without files the message is whole already.
    const message =
      files.length === 0
        ? { prompt: wholeMessage(context, lead.row, texts), attachments: [] }
        : { prompt: texts.filter((text) => text.trim() !== "").join("\n"), files };
    const started = { status: "started" as const, conversationId, batchId: lead.row.id, ...message };
    const [row] = await tx.update(messengerInbound).set(started).where(eq(messengerInbound.id, lead.row.id)).returning();
    for (const { row: other } of others)
      await tx
        .update(messengerInbound)
        .set({ status: "done", batchId: lead.row.id, text: maskInText(other.text), doneAt: sql`now()` })
        .where(eq(messengerInbound.id, other.id));
    if (!row) throw new Error("A message was removed while it was taken");
    return { context: { ...context, chat: { ...chat, conversationId } }, lead: { row, contact: lead.contact } };
  });
}
