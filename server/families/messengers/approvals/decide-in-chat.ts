import "server-only";
import { and, asc, eq, sql } from "drizzle-orm";
import type { DecisionPlace } from "@/contracts/approvals/approvals";
import { platformFacts } from "@/contracts/messengers/messenger-platforms";
import { approvals, conversations, messengerInbound, messengerOutbound, type ReceivedFile } from "@/db/schema";
import { answerQuestion } from "@/server/approvals/answer-question";
import { settleApproval } from "@/server/approvals/settle-approval";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { decideWithEdits } from "@/server/turns/answers/decide-with-edits";
import { type ChatContext, type ContactRow, contactRef, type InboundRow, memberOf, type Spoken } from "../chat-context";
import { endRow } from "../end-row";
import { notify } from "../parts";
import { platformTitle } from "../place-of-chat";
import { takeFiles } from "../receive/take-files";
import { mayDecideHere } from "./approval-card";
import { consoleLink, shortIdOf } from "./approval-words";

type ApprovalRow = typeof approvals.$inferSelect;
type Decision = { decision: "approve" | "deny"; id: string | null; comment: string };

/** The approvals whose cards are in a chat and that wait, the oldest first. */
export async function waitingIn({ chat }: Pick<ChatContext, "chat">): Promise<ApprovalRow[]> {
  const rows = await db()
    .selectDistinct({ approval: approvals })
    .from(messengerOutbound)
    .innerJoin(approvals, eq(approvals.id, messengerOutbound.approvalId))
    .where(
      and(eq(messengerOutbound.chatId, chat.id), eq(approvals.status, "pending"), sql`${messengerOutbound.content} ->> 'kind' = 'card'`),
    )
    .orderBy(asc(approvals.id));
  return rows.map(({ approval }) => approval);
}

/** Decides an approval by words. The card says what came of it; a refusal is told. */
export async function decideByWords(context: ChatContext, row: InboundRow, contact: ContactRow, asked: Decision): Promise<void> {
  const waiting = await waitingIn(context);
  const found = chosen(waiting, asked.id);
  const told = typeof found === "string" ? found : await decide(context, row, contact, found, asked);
  if (told) await notify(db(), context.chat, `decided:${row.id}`, told);
  await endRow(row, "done");
}

/** Decides an approval by a button, whose value is `<decision>:<approval id>`. */
export async function decideByClick(context: ChatContext, row: InboundRow, contact: ContactRow): Promise<void> {
  const [, word, id = ""] = /^(approve|deny|answer):([0-9a-f-]{36})(?::(\d+))?$/.exec(row.text) ?? [];
  const place = Number(row.text.split(":")[2] ?? 0);
  const approval = (await waitingIn(context)).find((waiting) => waiting.id === id);
  let told: string | null = "This was decided already.";
  if (approval && word === "answer") {
    const option = approval.question?.options[place];
    told = option === undefined ? "There is no such answer." : await answerAs(contact, approval, option, placeOfDecision(context));
  } else if (approval && (word === "approve" || word === "deny")) {
    told = await decide(context, row, contact, approval, { decision: word, id, comment: "" });
  }
  await context.driver.answerClick?.(row.key, told ?? "").catch(() => {});
  if (told && context.chat.kind === "private") await notify(db(), context.chat, `decided:${row.id}`, told);
  await endRow(row, "done", { error: told });
}

function chosen(waiting: readonly ApprovalRow[], id: string | null): ApprovalRow | string {
  const [only] = waiting;
  if (!only) return "Nothing waits for a decision here.";
  const listed = waiting.map((approval) => shortIdOf(approval.id)).join(", ");
  if (id === null) return waiting.length === 1 ? only : `Several calls wait here. Name one: ${listed}`;
  const named = waiting.filter((approval) => approval.id.replaceAll("-", "").endsWith(id));
  return named.length === 1 && named[0] ? named[0] : `⚠️ The approval id does not match. Waiting here: ${listed}`;
}

/** Names the messenger and its chat on the approval, and in the audit. */
function placeOfDecision({ chat, messenger }: ChatContext): DecisionPlace {
  const where = chat.kind === "private" ? "private chat" : (chat.title ?? "group");
  return { kind: "messenger", name: `${platformTitle(messenger.platform)} · ${messenger.name} · ${where}` };
}

/** @returns a sentence about why nothing was decided; null when it was */
async function decide(
  context: ChatContext,
  row: InboundRow,
  contact: ContactRow,
  approval: ApprovalRow,
  { decision, comment }: Decision,
): Promise<string | null> {
  if (!row.isVerified) return "⚠️ Your mail server did not confirm that you sent this, so it decides nothing.";
  const from = placeOfDecision(context);
  const member = await memberOf(contact, row.id);
  const mayDecide = member?.permissions.has("approvals:decide") === true;
  if (decision === "deny" && !mayDecide && isRequester(approval, contact)) return reject(contact, approval, comment, from);
  if (!member) {
    // Strangers are told nothing of the console.
    if (platformFacts[context.messenger.platform].isVisited) return "A person decides this elsewhere. Another message of yours cancels it.";
    return `⚠️ Only a linked member may decide. Members link this chat with a code from the page Contacts. In the console: ${consoleLink(approval.id)}`;
  }
  if (decision === "approve" && !mayDecideHere(context.messenger.approvals, approval.risk))
    return `⚠️ Calls of this risk are decided in the console: ${consoleLink(approval.id)}`;
  if (approval.kind === "question" && decision === "approve") return "⚠️ This is a question. Write the answer as a message.";
  return asMember({ ...member, via: from }, approval, decision === "approve" ? "approve" : "reject", comment);
}

async function asMember(
  member: NonNullable<Awaited<ReturnType<typeof memberOf>>>,
  approval: ApprovalRow,
  decision: "approve" | "reject",
  comment: string,
): Promise<string | null> {
  try {
    await decideWithEdits(requirePermission(member, "approvals:decide"), approval.id, { decision, comment });
    return null;
  } catch (error) {
    if (isAppError(error)) return `⚠️ ${error.message}`;
    throw error;
  }
}

/** A contact decides nothing, but may take back what its own message caused. */
async function reject(contact: ContactRow, approval: ApprovalRow, comment: string, from: DecisionPlace): Promise<string | null> {
  const by = contactRef(contact);
  const settled = await settleApproval(approval, { status: "rejected", actor: by, from, comment, voterId: contact.id });
  return settled ? null : "This was decided already.";
}

const isRequester = ({ requestedBy }: ApprovalRow, { id, userId }: ContactRow): boolean =>
  (requestedBy.type === "contact" && requestedBy.id === id) || (requestedBy.type === "user" && requestedBy.id === userId);

async function answerAs(contact: ContactRow, approval: ApprovalRow, text: string, from: DecisionPlace): Promise<string | null> {
  if (!isRequester(approval, contact)) return "⚠️ Only who asked the agent may answer its question.";
  const settled = await answerQuestion(approval, { actor: contactRef(contact), requestId: null, from, text });
  return settled ? null : "This was answered already.";
}

/**
 * A text is the answer to a question of the agent that waits here for this person, and files that came with it or before it belong to it.
 * @returns the messages that were the answer; empty when nothing was asked
 */
export async function answerAsked(context: ChatContext, lead: Spoken, filesBefore: readonly Spoken[]): Promise<readonly Spoken[]> {
  const { row, contact } = lead;
  if (!context.chat.conversationId) return [];
  const question = (await waitingIn(context)).find((approval) => approval.kind === "question" && isRequester(approval, contact));
  // Servers read answers as values of a form: files wait for the next text.
  const takesFiles = question?.toolSource === "builtin";
  const isSpoken = takesFiles && row.files.some(({ kind }) => kind === "audio");
  if (!question || (row.text.trim() === "" && !isSpoken)) return [];
  const answer = takesFiles ? [...filesBefore, lead] : [lead];
  const files = takesFiles ? answer.flatMap((one) => one.row.files) : [];
  const text = await withFiles(context, question, row.text, files);
  if (await answerAs(contact, question, text, placeOfDecision(context))) return [];
  for (const one of answer) {
    const keepsFiles = one.row.files.length > 0 && !takesFiles;
    if (keepsFiles) await db().update(messengerInbound).set({ text: "" }).where(eq(messengerInbound.id, one.row.id));
    else await endRow(one.row, "done");
  }
  return answer;
}

/** Takes files into the folder of the conversation that asks, and names them below the answer. */
async function withFiles(context: ChatContext, question: ApprovalRow, text: string, files: readonly ReceivedFile[]): Promise<string> {
  if (files.length === 0) return text;
  const [conversation] = await db().select().from(conversations).where(eq(conversations.id, question.conversationId));
  if (!conversation) return text;
  const { taken, notes } = await takeFiles(context, files, conversation);
  const lines = taken.map(({ path, mediaType, bytes }) => `- ${path} (${mediaType}, ${bytes} bytes)`);
  const named = lines.length > 0 ? [`[Attached files in the workspace:\n${lines.join("\n")}]`] : [];
  return [text, ...notes, ...named].filter((part) => part.trim() !== "").join("\n\n");
}

/**
 * In chats without buttons, another message of the person who asked denies what waits, because otherwise the message would wait for
 * the decision.
 */
export async function denyWaiting(context: ChatContext, { contact }: Spoken): Promise<void> {
  if (context.limits.buttons > 0) return;
  for (const approval of await waitingIn(context)) {
    if (approval.kind !== "call" || !isRequester(approval, contact)) continue;
    const denied = await reject(contact, approval, "The person wrote another message instead of deciding.", placeOfDecision(context));
    if (denied === null) {
      await notify(db(), context.chat, `denied:${approval.id}`, "⛔ The approval was cancelled. Your new message is next.");
    }
  }
}
