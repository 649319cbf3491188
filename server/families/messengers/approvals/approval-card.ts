import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { DecisionPlace } from "@/contracts/approvals/approvals";
import { decisionPlaceWords } from "@/contracts/approvals/decision-place-words";
import type { JsonObject } from "@/contracts/common";
import { type MessengerPlatform, platformFacts } from "@/contracts/messengers/messenger-platforms";
import type { ChatApprovalRule } from "@/contracts/messengers/messengers";
import type { Db } from "@/db/client";
import { approvals, type CardButton, messengerChats, messengerOutbound, messengers, type PartContent } from "@/db/schema";
import { toldArguments } from "@/server/approvals/told-edit";
import { db } from "@/server/platform/database/database";
import type { PublishedEvent, Subscriber } from "@/server/platform/extension-points/outbox";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { maskSecrets } from "@/server/secrets/mask-secrets";
import { carryFinishedJob } from "../carry-results";
import type { ChatRow } from "../chat-context";
import { chatOfConversation } from "../chat-of-conversation";
import { storeParts } from "../parts";
import { platformLimits } from "../platforms";
import { cardKeyOf, consoleLink, shortIdOf } from "./approval-words";
import { showCall } from "./shown-call";

type ApprovalRow = typeof approvals.$inferSelect;

const heldBack: Readonly<Record<ChatApprovalRule, readonly ApprovalRow["risk"][]>> = {
  all: [],
  not_critical: ["critical"],
  not_high: ["critical", "high"],
  none: ["critical", "high", "medium", "low", "info"],
};

/** Returns true when a call of this risk may be approved in the messenger's chats. */
export const mayDecideHere = (rule: ChatApprovalRule, risk: ApprovalRow["risk"]): boolean => !heldBack[rule].includes(risk);

const hasMessengers = versionedCache(
  "messengers.any",
  async (workspaceId) => (await db().$count(messengers, eq(messengers.workspaceId, workspaceId))) > 0,
);

/** Brings approvals to the chats where the work was ordered, and says there what came of them. */
export const cardSubscriber: Subscriber = {
  isWanted: async (workspaceId, event, configVersion) => event.startsWith("approval.") && (await hasMessengers(workspaceId, configVersion)),
  queue: async (tx, events) => {
    for (const event of events) {
      if (event.event === "approval.requested") await sendCard(tx, event);
      if (event.event === "approval.decided") await editCards(tx, event);
      if (event.event === "job.finished") await carryFinishedJob(tx, event);
    }
  },
};

const idIn = ({ payload }: PublishedEvent): string => String(payload.approvalId);

async function sendCard(tx: Db, event: PublishedEvent): Promise<void> {
  const [approval] = await tx
    .select()
    .from(approvals)
    .where(eq(approvals.id, idIn(event)));
  const found = approval && (await chatOfConversation(tx, approval.conversationId));
  if (!approval || !found) return;
  await storeParts(tx, found.chat, [
    { key: cardKeyOf(approval.id, found.chat.id), approvalId: approval.id, content: cardOf(approval, found.messenger) },
  ]);
}

/** Longer cards are not read on a phone. */
const maxCard = 3_500;

type CardFor = { platform: MessengerPlatform; approvals: ChatApprovalRule };

/** The inbox's card for a chat: what is asked, why, by whom, and how to decide. */
export function cardOf(approval: ApprovalRow, messenger: CardFor): PartContent {
  const hasButtons = platformLimits[messenger.platform].buttons > 0;
  if (approval.kind === "question") return questionCard(approval, platformLimits[messenger.platform].buttons);
  if (platformFacts[messenger.platform].isVisited) return visitorCard;
  const isHere = mayDecideHere(messenger.approvals, approval.risk);
  const id = shortIdOf(approval.id);
  const most = Math.min(platformLimits[messenger.platform].card, maxCard);
  const call = showCall(maskSecrets(toldArguments(approval).arguments) as JsonObject, approval.primaryArgument, Math.floor(most * 0.4));
  const head = [
    `⏸ **Approval needed**: ${quoted(approval.toolTitle, 100)} (${approval.risk})`,
    code(call.text || approval.summary),
    ...(call.isWhole ? [] : ["⚠️ Not all of the call is shown here. The console shows it whole."]),
    ...(approval.decision.runsOutside ? ["⚠️ It runs outside the sandbox."] : []),
    `Why: ${quoted(approval.decision.reason, Math.floor(most / 5))}`,
  ];
  const end = [
    `Asked by ${quoted(approval.requestedBy.name, 100)}, agent ${quoted(approval.agent, 60)}`,
    isHere
      ? `\`/approve ${id}\` or \`/deny ${id}\`. Change it or allow it always: ${consoleLink(approval.id)}`
      : `Approved in the console only: ${consoleLink(approval.id)}. \`/deny ${id}\` denies it here.`,
  ];
  const text = [...head, ...findingsWithin(approval.decision, most - lengthOf([...head, ...end])), ...end].join("\n\n");
  const buttons: CardButton[] = [
    ...(isHere ? [{ label: "Approve", value: `approve:${approval.id}`, style: "primary" as const }] : []),
    { label: "Deny", value: `deny:${approval.id}`, style: "danger" },
  ];
  return { kind: "card", text, buttons: hasButtons ? buttons : [] };
}

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 2, 0);

/** The most serious findings that the reason does not name already, as many as there is room for. */
function findingsWithin({ reason, findings }: ApprovalRow["decision"], room: number): string[] {
  const messages = [...new Set(findings.map(({ message }) => message))].filter((message) => !reason.includes(message));
  let left = room;
  return messages
    .slice(0, 3)
    .map((message) => `• ${quoted(message, 300)}`)
    .filter((line) => {
      left -= line.length + 2;
      return left >= 0;
    });
}

/** A visitor of a website is nobody whom the workspace knows, so the card says nothing of the call. */
const visitorCard: PartContent = {
  kind: "card",
  text: "⏸ The next step needs the approval of a person. The answer comes here as soon as it is decided. Another message of yours cancels it.",
  buttons: [],
};

function questionCard({ id, question, agent }: ApprovalRow, maxButtons: number): PartContent {
  const options = question?.options ?? [];
  const listed = options.map((option, index) => `${index + 1}. ${quoted(option)}`);
  const text = [
    `❓ ${quoted(agent)} asks: ${quoted(question?.text ?? "")}`,
    ...(listed.length > 0 ? [listed.join("\n")] : []),
    "Write the answer as a message.",
  ].join("\n\n");
  const buttons =
    options.length <= maxButtons ? options.map((option, index) => ({ label: option.slice(0, 40), value: `answer:${id}:${index}` })) : [];
  return { kind: "card", text, buttons };
}

/** Texts of models and strangers are no Markdown here. */
const quoted = (text: string, most = 600): string =>
  text
    .slice(0, most)
    .toWellFormed()
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]<>#|~]/g, "\\$&");
const code = (text: string): string => `\`\`\`\n${text.replaceAll("```", "'''")}\n\`\`\``;

const outcomes: Readonly<Record<string, string>> = {
  approved: "✅ Approved",
  rejected: "⛔ Denied",
  answered: "✅ Answered",
  expired: "⌛ Expired",
  cancelled: "Cancelled",
  void: "Asked anew, because the call has changed",
};

async function editCards(tx: Db, event: PublishedEvent): Promise<void> {
  const approvalId = idIn(event);
  const cards = await tx
    .select({ part: messengerOutbound, chat: messengerChats, platform: messengers.platform })
    .from(messengerOutbound)
    .innerJoin(messengerChats, eq(messengerChats.id, messengerOutbound.chatId))
    .innerJoin(messengers, eq(messengers.id, messengerOutbound.messengerId))
    .where(and(eq(messengerOutbound.approvalId, approvalId), inArray(sql`${messengerOutbound.content} ->> 'kind'`, ["card"])));
  const status = String(event.payload.status);
  const by = event.payload.by as { name?: string; type?: string } | undefined;
  const who = by?.name && by.type !== "system" ? ` by ${quoted(by.name)}` : "";
  const place = event.payload.decidedFrom as DecisionPlace | undefined;
  const where = place ? ` (${quoted(decisionPlaceWords(place))})` : "";
  const comment = typeof event.payload.comment === "string" && event.payload.comment !== "" ? `\n\n> ${quoted(event.payload.comment)}` : "";
  const what = `${quoted(String(event.payload.tool ?? ""))}\n\n${code(String(event.payload.summary ?? ""))}`;
  const outcome = `**${outcomes[status] ?? status}**`;
  const text = `${outcome}${who}${where}: ${what}${comment}`;
  for (const { part, chat, platform } of cards) {
    const told = platformFacts[platform].isVisited ? outcome : text;
    await storeParts(tx, chat, [decidedPart({ approvalId, part, chat, platform, text: told })]);
  }
}

type Decided = { approvalId: string; part: { id: string }; chat: ChatRow; platform: MessengerPlatform; text: string };

const decidedPart = ({ approvalId, part, platform, text }: Decided) => ({
  key: `decided:${approvalId}:${part.id}`,
  content: platformLimits[platform].canEdit ? ({ kind: "edit", partId: part.id, text } as const) : ({ kind: "text", text } as const),
});
