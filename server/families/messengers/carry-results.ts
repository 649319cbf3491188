import "server-only";
import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { openRunStatuses } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { jobs, messengerChats, runs } from "@/db/schema";
import type { ResultCarrier } from "@/server/platform/extension-points/ordered-results";
import type { PublishedEvent } from "@/server/platform/extension-points/outbox";
import type { ChatRow } from "./chat-context";
import { chatOfConversation } from "./chat-of-conversation";
import { storeParts, textParts } from "./parts";

const maxCharacters = 12_000;

/** Brings results of schedules, workflows and background calls to the chat in which they were ordered. */
export const carryResult: ResultCarrier = async (tx, { orderedIn, key, title, text }) => {
  const found = orderedIn && (await chatOfConversation(tx, orderedIn));
  if (!found) return;
  const shown = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…\n\nThe whole result is in the console.` : text;
  const words = `**${title.replace(/[\\`*_{}[\]<>#|~]/g, "\\$&")}**\n\n${shown.trim() || "It has ended without words."}`;
  await storeParts(tx, found.chat, textParts(words, found.messenger.platform, `result:${key}`));
};

type JobRow = typeof jobs.$inferSelect;

const jobWords: Readonly<Record<string, string>> = {
  succeeded: "✅ Finished",
  failed: "⚠️ Failed",
  timed_out: "⚠️ Timed out",
  cancelled: "Cancelled",
  interrupted: "⚠️ Interrupted",
};

const carryJob = (tx: Db, { id, conversationId, toolName, status, content }: JobRow): Promise<void> =>
  carryResult(tx, { orderedIn: conversationId, key: `job:${id}`, title: `${jobWords[status] ?? status}: ${toolName}`, text: content });

/** A job that ends while no run of its conversation can tell of it is told in the chat. Otherwise the end of that run looks here. */
export async function carryFinishedJob(tx: Db, { payload }: PublishedEvent): Promise<void> {
  const { id, conversationId } = payload.job as { id: string; conversationId: string };
  const found = await chatOfConversation(tx, conversationId);
  if (!found) return;
  await lockChat(tx, found.chat);
  const isOpen = and(eq(runs.conversationId, conversationId), inArray(runs.status, [...openRunStatuses]));
  if ((await tx.$count(runs, isOpen)) > 0) return;
  const [job] = await tx.select().from(jobs).where(eq(jobs.id, id));
  if (job) await carryJob(tx, job);
}

/** Tells of jobs that ended after the last request of a run that has just ended. */
export async function carryUntoldJobs(tx: Db, chat: ChatRow, conversationId: string): Promise<void> {
  await lockChat(tx, chat);
  const isUntold = and(eq(jobs.conversationId, conversationId), isNotNull(jobs.finishedAt), isNull(jobs.deliveredTurnId));
  for (const job of await tx.select().from(jobs).where(isUntold)) await carryJob(tx, job);
}

/** The end of a run and the end of a job look at each other: the later one must see what the first has written. */
const lockChat = (tx: Db, { id }: ChatRow) =>
  tx.select({ id: messengerChats.id }).from(messengerChats).where(eq(messengerChats.id, id)).for("update");
