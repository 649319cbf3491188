import "server-only";
import { eq } from "drizzle-orm";
import { messengerChats } from "@/db/schema";
import { redeemLinkCode } from "@/server/contacts/link-codes";
import { chainOf } from "@/server/models/fallback-chain";
import { db } from "@/server/platform/database";
import { agentOfChat, type ChatContext, type ContactRow, contactRef, type InboundRow, memberOf, requesterOf } from "./chat-context";
import type { Command, PlainCommand } from "./commands";
import { decideByWords, waitingIn } from "./decide-in-chat";
import { endRow } from "./end-row";
import { findOpenRun, stopOpenRun } from "./open-run";
import { notify } from "./parts";

const help = [
  "Write what the agent should do. Handrail itself understands:",
  "/new or /clear: begin a new conversation",
  "/stop: stop the work that goes on",
  "/status: what goes on, and what waits for a decision",
  "/model: the model that answers",
  "/approve <id> and /deny <id>: decide a call (批准, 拒绝)",
  "/link <code>: link this chat with your account; the page Contacts makes the code",
].join("\n");

/** Runs a command of a person; the agent does not read it. */
export async function runCommand(context: ChatContext, row: InboundRow, contact: ContactRow, command: Command): Promise<void> {
  if ("comment" in command) {
    return decideByWords(context, row, contact, { decision: command.name, id: command.id, comment: command.comment });
  }
  const told = await answerTo(context, row, contact, command);
  await notify(db(), context.chat, `command:${row.id}`, told);
  await endRow(command.name === "link" ? { ...row, text: "/link" } : row, "done");
}

async function answerTo(context: ChatContext, row: InboundRow, contact: ContactRow, command: PlainCommand): Promise<string> {
  switch (command.name) {
    case "help":
      return help;
    case "new":
    case "clear":
      await db().update(messengerChats).set({ conversationId: null }).where(eq(messengerChats.id, context.chat.id));
      return "Your next message begins a new conversation.";
    case "stop":
      return stop(context, row, contact);
    case "status":
      return status(context);
    case "model":
      return model(context, command.model);
    case "link":
      return link(context, contact, command.code);
  }
}

async function stop(context: ChatContext, row: InboundRow, contact: ContactRow): Promise<string> {
  const run = await findOpenRun(context);
  if (!run) return "Nothing goes on here.";
  const isOwn = [contact.id, contact.userId].includes(run.requestedBy.id);
  if (!isOwn && !(await memberOf(contact, row.id))?.permissions.has("turns:write")) return "⚠️ Only who asked for it may stop it.";
  await stopOpenRun(context, await requesterOf(contact).catch(() => contactRef(contact)));
  return "Stopped.";
}

async function status(context: ChatContext): Promise<string> {
  const [agent, run, waiting] = await Promise.all([agentOfChat(context), findOpenRun(context), waitingIn(context)]);
  return [
    `Agent: ${agent?.name ?? "none"}`,
    `Conversation: ${context.chat.conversationId ? "goes on" : "begins with your next message"}`,
    `Work: ${run ? (run.status === "waiting" ? "waits" : "goes on") : "none"}`,
    `Waiting for a decision: ${waiting.length}`,
  ].join("\n");
}

async function model(context: ChatContext, wanted: string): Promise<string> {
  const agent = await agentOfChat(context);
  if (!agent) return "There is no agent here yet.";
  const models = await chainOf(context.messenger.workspaceId, agent.models);
  const named = models.map((each) => each.model).join(", then ") || "none";
  return wanted === ""
    ? `${agent.name} uses ${named}.`
    : `${agent.name} uses ${named}. Another model is chosen in the console, in the settings of the agent.`;
}

async function link({ chat, messenger }: ChatContext, contact: ContactRow, code: string): Promise<string> {
  // In a group everybody would read the code.
  if (chat.kind !== "private") return "⚠️ Send the code in a private chat.";
  if (code === "") return "Make a code on the page Contacts, and send: /link <code>";
  const member = await db().transaction((tx) => redeemLinkCode(tx, { workspaceId: messenger.workspaceId, contactId: contact.id, code }));
  return member
    ? `Linked with ${member}. You may now decide here what you may decide in the console.`
    : "⚠️ The code is wrong, used or older than 15 minutes.";
}
