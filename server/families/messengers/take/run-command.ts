import "server-only";
import { eq } from "drizzle-orm";
import { platformFacts } from "@/contracts/messengers/messenger-platforms";
import { conversations, messengerChats } from "@/db/schema";
import { redeemLinkCode } from "@/server/contacts/link-codes";
import { db } from "@/server/platform/database/database";
import { findModelByName, listModelNames, modelsOfRun } from "@/server/runs/run-models";
import { decideByWords, waitingIn } from "../approvals/decide-in-chat";
import { agentOfChat, type ChatContext, type ContactRow, contactRef, type InboundRow, memberOf, requesterOf } from "../chat-context";
import { endRow } from "../end-row";
import { findOpenRun, stopOpenRun } from "../open-run";
import { notify } from "../parts";
import type { Command, PlainCommand } from "./commands";

const help = [
  "Write what the agent should do. Handrail itself understands:",
  "/new or /clear: begin a new conversation",
  "/stop: stop the work that goes on",
  "/status: what goes on, and what waits for a decision",
  "/model: the models; /model <name>: choose one for this conversation",
  "/approve <id> and /deny <id>: decide a call (批准, 拒绝)",
  "/link <code>: link this chat with your account; the page Contacts makes the code",
].join("\n");

const visitorHelp = "Write what you want to know. /new begins a new conversation, and /stop stops the work that goes on.";

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
  const isVisited = platformFacts[context.messenger.platform].isVisited === true;
  // Visitors are told nothing of the workspace: its agents, models and members.
  if (isVisited && !/^(?:new|clear|stop)$/.test(command.name)) return visitorHelp;
  switch (command.name) {
    case "help":
      return help;
    case "new":
    case "clear":
      return beginAnew(context);
    case "stop":
      return stop(context, row, contact);
    case "status":
      return status(context);
    case "model":
      return model(context, contact, command.model);
    case "link":
      return link(context, contact, command.code);
  }
}

async function beginAnew(context: ChatContext): Promise<string> {
  const run = await findOpenRun(context);
  await db().update(messengerChats).set({ conversationId: null }).where(eq(messengerChats.id, context.chat.id));
  const next = "Your next message begins a new conversation.";
  return run ? `${next} The work that goes on is not stopped; its answer still comes here.` : next;
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

const maxNames = 30;

/** Shows or chooses the model of the conversation. Members choose, because models differ in what they cost. */
async function model(context: ChatContext, contact: ContactRow, wanted: string): Promise<string> {
  const { chat, messenger } = context;
  const agent = await agentOfChat(context);
  if (!agent) return "There is no agent here yet.";
  const conversationId = chat.conversationId ?? undefined;
  const used = (await modelsOfRun(agent, conversationId)).map((each) => each.model).join(", then ") || "none";
  if (wanted === "") {
    const names = (await listModelNames(messenger.workspaceId)).slice(0, maxNames).join(", ");
    return `${agent.name} uses ${used}.\n/model <name> chooses one for this conversation: ${names}. /model default takes the agent's own.`;
  }
  if (!(await memberOf(contact, contact.id))?.permissions.has("turns:write"))
    return "⚠️ Only a linked member who may run agents chooses the model.";
  if (!conversationId) return "A model belongs to a conversation. Write a message first, then choose.";
  const isOwn = wanted.toLowerCase() === "default";
  const found = isOwn ? null : await findModelByName(messenger.workspaceId, wanted);
  if (!isOwn && !found) return `⚠️ No provider here has a model of that name. /model lists them.`;
  await db().update(conversations).set({ model: found }).where(eq(conversations.id, conversationId));
  return isOwn ? "This conversation uses the agent's own model again." : `This conversation uses ${wanted} from the next message on.`;
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
