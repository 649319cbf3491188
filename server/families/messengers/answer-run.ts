import "server-only";
import { and, eq, gte, inArray, ne, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { artifacts, conversations, messengerChats, messengerInbound, messengers, runs, toolCalls, tools } from "@/db/schema";
import type { EndedRun } from "@/server/platform/extension-points/run-ends";
import { carryUntoldJobs } from "./carry-results";
import type { ChatRow } from "./chat-context";
import { chatOfConversation } from "./chat-of-conversation";
import { type NewPart, storeParts, textParts } from "./parts";
import { fileFault } from "./platforms";
import { lookAtChat } from "./queues";
import { inboundIdOf } from "./take/start-answer";
import { failureWords } from "./text/failure-words";

type MessengerRow = typeof messengers.$inferSelect;
type RunRow = typeof runs.$inferSelect;

const maxFiles = 10;

/** Sends the answer of a run to the chat that ordered it, in the transaction of the run's end, and lets the next message begin. */
export async function answerRun(tx: Db, ended: EndedRun): Promise<void> {
  const [found] = await tx
    .select({ run: runs, place: conversations.place })
    .from(runs)
    .innerJoin(conversations, eq(conversations.id, runs.conversationId))
    .where(eq(runs.id, ended.id));
  if (!found?.place) return;
  const inboundId = inboundIdOf(found.run.idempotencyKey);
  const ordered = inboundId ? await orderOf(tx, inboundId) : undefined;
  if (ordered) await storeParts(tx, ordered.chat, await partsOf(tx, ended, found.run, ordered));
  const place = ordered ?? (await chatOfConversation(tx, ended.conversationId));
  if (!place) return;
  await carryUntoldJobs(tx, place.chat, ended.conversationId);
  await lookAtChat(tx, place.chat);
}

type Order = { chat: ChatRow; messenger: MessengerRow; messageRef: string | null };

async function orderOf(tx: Db, inboundId: string): Promise<Order | undefined> {
  const [row] = await tx
    .select({ chat: messengerChats, messenger: messengers, messageRef: messengerInbound.messageRef })
    .from(messengerInbound)
    .innerJoin(messengerChats, eq(messengerChats.id, messengerInbound.chatId))
    .innerJoin(messengers, eq(messengers.id, messengerInbound.messengerId))
    .where(eq(messengerInbound.id, inboundId));
  return row;
}

async function partsOf(tx: Db, ended: EndedRun, run: RunRow, { messenger, messageRef }: Order): Promise<NewPart[]> {
  const text = textOf(ended, messenger.platform);
  const files = ended.status === "succeeded" ? await filesOf(tx, ended, run, text) : [];
  const shown = withoutLinks(text, files);
  const texts = textParts(shown, messenger.platform, `run:${ended.id}`).map((part, index): NewPart => {
    if (index > 0 || part.content.kind !== "text") return { ...part, runId: ended.id };
    return { ...part, runId: ended.id, content: { ...part.content, replacesStreamOf: ended.id } };
  });
  const sent = files.map((file): NewPart => {
    const key = `file:${ended.id}:${file.id}`;
    const { name, mediaType, bytes, sha256 } = file;
    const fault = fileFault(messenger.platform, file);
    if (!fault) return { key, runId: ended.id, content: { kind: "file", name, mediaType, bytes, sha256, as: kindOf(mediaType) } };
    return {
      key,
      runId: ended.id,
      content: { kind: "text", text: `The file ${name} is in the console: ${fault}` },
    };
  });
  const done = messenger.doneSign && messageRef && ended.status === "succeeded" ? [doneSign(ended.id, messageRef, messenger.platform)] : [];
  return [...texts, ...sent, ...done];
}

const kindOf = (mediaType: string) => (/^image\/(png|jpeg|webp)$/.test(mediaType) ? "photo" : "file");

/** Telegram's bots may not react with a check mark. */
const doneSign = (runId: string, messageRef: string, platform: MessengerRow["platform"]): NewPart => ({
  key: `done:${runId}`,
  runId,
  content: { kind: "reaction", messageRef, emoji: platform === "telegram" ? "👌" : "✅" },
});

function textOf({ status, answer, error }: EndedRun, platform: MessengerRow["platform"]): string {
  if (status === "failed") return failureWords(platform, error ?? "The agent could not answer.");
  if (status === "limited") return `${answer ?? ""}\n\n⚠️ The agent reached the limit of its work. Write to let it go on.`.trim();
  if (status === "cancelled") return answer ?? "";
  return answer?.trim() ? answer : "The agent has finished without words.";
}

const artifactAddress = /(?:artifact:|\/api\/v1\/artifacts\/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/** The files that go with an answer: those that it names, and what the run made: pictures, sound and video. */
async function filesOf(tx: Db, { id, conversationId, workspaceId }: EndedRun, run: RunRow, text: string) {
  const named = [...new Set([...text.matchAll(artifactAddress)].map(([, artifactId = ""]) => artifactId))];
  const ofRun = and(
    gte(artifacts.createdAt, run.createdAt),
    or(
      eq(artifacts.callId, id),
      and(
        sql`${artifacts.mediaType} ~ '^(image|audio|video)/'`,
        inArray(
          artifacts.callId,
          tx
            .select({ id: toolCalls.id })
            .from(toolCalls)
            .innerJoin(tools, and(eq(tools.workspaceId, toolCalls.workspaceId), eq(tools.name, toolCalls.name)))
            .where(and(eq(toolCalls.workspaceId, workspaceId), ne(tools.effect, "read"), ne(tools.source, "channel"))),
        ),
      ),
    ),
  );
  return tx
    .select()
    .from(artifacts)
    .where(and(eq(artifacts.conversationId, conversationId), named.length > 0 ? or(inArray(artifacts.id, named), ofRun) : ofRun))
    .orderBy(artifacts.id)
    .limit(maxFiles);
}

type Artifact = { id: string; name: string };

/** Links to files that are sent become their names: nobody outside of the console can open them. */
function withoutLinks(text: string, files: readonly Artifact[]): string {
  return files.reduce((shown, { id, name }) => {
    const address = `(?:https?://[^\\s()]*)?(?:artifact:|/api/v1/artifacts/)${id}[^\\s()]*`;
    return shown
      .replace(new RegExp(`!?\\[([^\\]]*)\\]\\(${address}\\)`, "g"), (_, label: string) => label || name)
      .replace(new RegExp(address, "g"), name);
  }, text);
}
