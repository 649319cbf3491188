import { z } from "zod";
import { Timestamp } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { type AnyTool, defineTool, toolResult } from "@/server/tools/define-tool";
import { messengersCapability } from "../messengers-capability";

const family = { family: "messengers", tier: "extension", needs: [messengersCapability] } as const;
const refused = (text: string) => toolResult({ text, isError: true });

export const listChannelSessions = (): AnyTool =>
  defineTool({
    ...family,
    name: "list_channel_sessions",
    title: "List chats of messengers",
    description: "Lists the chats of all messengers in which a conversation goes on, the last used first, with their conversation_id.",
    effect: "read",
    disclosure: { hiddenInGroups: true },
    input: z.object({ channelType: z.string().max(40).optional().describe("Only chats of this platform, such as telegram") }),
    names: { parameterAliases: { channel_type: "channelType" } },
    execute: async ({ channelType }, { messengers }) => ({ sessions: await messengers.sessions(channelType) }),
  });

export const sendChannelMessage = (): AnyTool =>
  defineTool({
    ...family,
    name: "send_channel_message",
    title: "Send a message to a chat",
    description: "Sends a text to the chat of a conversation. list_channel_sessions finds the conversation.",
    effect: "write",
    disclosure: { hiddenInGroups: true },
    primaryArgument: "conversationId",
    names: { parameterAliases: { conversation_id: "conversationId" } },
    input: z.object({
      conversationId: z.string().max(100).default("").describe("Id of the conversation"),
      message: z.string().max(50_000).default("").describe("The text, in Markdown"),
    }),
    async execute({ conversationId, message }, { messengers }) {
      if (conversationId.trim() === "")
        return refused("[Error] conversation_id is required. Call list_channel_sessions first to find the target.");
      if (message.trim() === "") return refused("[Error] message is required.");
      const known = z.uuid().safeParse(conversationId).success && (await messengers.sendTo(conversationId, message));
      return known ? "The message is on its way." : refused(`[Error] Unknown conversation_id: ${conversationId}`);
    },
  });

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const Text = z.unknown().optional();

export const contactsSend = (): AnyTool =>
  defineTool({
    ...family,
    name: "contacts_send",
    title: "Write to a contact",
    description:
      "Sends a text to a person of the contacts, who stand in contacts/ACTIVE.md: to the named chat, or to the private chat that the person used last.",
    effect: "write",
    disclosure: { hiddenInGroups: true },
    primaryArgument: "contact_id",
    input: z.object({
      contact_id: Text.describe("Id or name of the contact"),
      chat_id: Text.describe("A chat of the contact, such as tg:4711; the one used last when absent"),
      content_type: Text.describe("Only application/json"),
      message_text: Text.describe("The text, in Markdown"),
      message_base64: Text.describe("In place of message_text: an envelope as base64 of JSON with message_id, text, sent_at"),
      session_id: Text.describe("A UUID of version 7 that joins messages"),
      reply_to: Text.describe("Id of the message that this one answers"),
    }),
    async execute(args, { messengers }) {
      const text = readMessage(args);
      if ("error" in text) return refused(text.error);
      const chatId = typeof args.chat_id === "string" && args.chat_id !== "" ? args.chat_id : undefined;
      return messengers.sendToContact({ contactId: String(args.contact_id).trim(), chatId, text: text.text });
    },
  });

type Message = { text: string } | { error: string };

/** Checks the arguments in the order in which models know the refusals. */
export function readMessage(args: Record<string, unknown>): Message {
  const { contact_id, chat_id, content_type, message_text, message_base64, session_id } = args;
  if (typeof contact_id !== "string" || contact_id.trim() === "") return { error: "missing required param: contact_id" };
  if (chat_id !== undefined && typeof chat_id !== "string") return { error: "chat_id must be a string" };
  if (content_type !== undefined && content_type !== "" && !/^application\/json\b/i.test(String(content_type)))
    return { error: "content_type must be application/json envelope" };
  if (session_id !== undefined && session_id !== "" && !uuidV7.test(String(session_id))) return { error: "session_id must be uuid_v7" };
  if (typeof message_base64 === "string" && message_base64 !== "") return readEnvelope(message_base64);
  if (typeof message_text === "string" && message_text.trim() !== "") return { text: message_text };
  return { error: "message_text or message_base64 is required" };
}

function readEnvelope(encoded: string): Message {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return { error: "message_base64 decode failed: it is no base64" };
  let envelope: unknown;
  try {
    envelope = JSON.parse(Buffer.from(encoded, "base64").toString("utf8"));
  } catch {
    return { error: "message_base64 must be envelope json" };
  }
  if (!isJsonObject(envelope)) return { error: "message_base64 must be envelope json" };
  for (const member of ["message_id", "text", "sent_at"] as const)
    if (typeof envelope[member] !== "string" || envelope[member] === "") return { error: `message envelope missing ${member}` };
  const sentAt = String(envelope.sent_at);
  if (!Timestamp.safeParse(sentAt).success && Number.isNaN(Date.parse(sentAt)))
    return { error: "message envelope sent_at must be RFC3339" };
  return { text: String(envelope.text) };
}
