import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { NamedModel } from "../models/models";
import { messengerPlatforms, messengerTransports, placeKinds } from "./messenger-platforms";

/** `contacts`: only people whom an admin has admitted. `members`: only contacts that are linked to a member. */
export const writerRules = ["anyone", "contacts", "members"] as const;
export type WriterRule = (typeof writerRules)[number];

/** Approvals that may be decided in the chat; the others are decided in the console only. */
export const chatApprovalRules = ["all", "not_critical", "not_high", "none"] as const;
export type ChatApprovalRule = (typeof chatApprovalRules)[number];

/** `failing`: the last attempt failed, and the next one follows. */
export const messengerStates = ["off", "waiting", "connecting", "connected", "failing"] as const;
export type MessengerState = (typeof messengerStates)[number];

const name = z.string().trim().min(1, "needs a name").max(60, "at most 60 characters");
const words = z.record(z.string().max(40), z.string().max(10_000));

export const MessengerDraft = z
  .strictObject({
    name,
    platform: z.enum(messengerPlatforms),
    transport: z.enum(messengerTransports).describe("`connection`: no public address is needed."),
    agentId: Id.nullable().default(null).describe("The agent that answers; `null`: the default agent."),
    settings: words.default({}).describe("Values of the platform that are no secrets, by name."),
    secrets: words.default({}).describe("Secrets of the platform by name. Kept sealed; one that is left out stays as it is."),
    writers: z.enum(writerRules).default("contacts").describe("Who may write to the agent."),
    needsMention: z.boolean().default(true).describe("In groups the agent answers only when it is mentioned or replied to."),
    doneSign: z.boolean().default(false).describe("Adds a reaction to a message when it is answered."),
    streams: z.boolean().default(true).describe("Shows the answer while it is written, where the platform can edit messages."),
    joinSeconds: z
      .number()
      .int()
      .min(0)
      .max(30)
      .default(0)
      .describe("Seconds to wait for more messages of the same person, which become one."),
    approvals: z.enum(chatApprovalRules).default("not_critical").describe("Approvals that linked members may decide in the chat."),
    speechModel: NamedModel.nullable().default(null).describe("The model that writes down voice messages; `null`: nobody does."),
    enabled: z.boolean().default(true),
  })
  .meta({
    examples: [
      {
        name: "Support bot",
        platform: "telegram",
        transport: "connection",
        secrets: { token: "your-token-here" },
        writers: "contacts",
        enabled: false,
      },
    ],
  });
export type MessengerDraft = z.infer<typeof MessengerDraft>;

export const Messenger = z
  .object({
    id: Id,
    name,
    platform: z.enum(messengerPlatforms),
    transport: z.enum(messengerTransports),
    agentId: Id.nullable(),
    agent: z.string().nullable(),
    settings: words,
    secretNames: z.array(z.string()).describe("Names of the secrets that are kept."),
    writers: z.enum(writerRules),
    needsMention: z.boolean(),
    doneSign: z.boolean(),
    streams: z.boolean(),
    joinSeconds: z.number().int(),
    approvals: z.enum(chatApprovalRules),
    speechModel: NamedModel.nullable(),
    enabled: z.boolean(),
    bot: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe("Who the agent is on the platform; `null` before the first contact."),
    state: z.enum(messengerStates),
    lastError: z.string().nullable(),
    lastErrorAt: Timestamp.nullable(),
    lastReceivedAt: Timestamp.nullable(),
    lastSentAt: Timestamp.nullable(),
    callbackAddress: z
      .string()
      .nullable()
      .describe("The address that the platform or the pages of a website call; `null` for a connection."),
    unknownParts: z
      .number()
      .int()
      .describe("Parts of answers that may have been sent: their delivery was interrupted, and they are not repeated."),
    failedParts: z.number().int().describe("Parts of answers that the platform refused."),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Messenger" });
export type Messenger = z.infer<typeof Messenger>;

export const MessengerChat = z
  .object({
    id: Id,
    kind: z.enum(placeKinds),
    chat: z.string(),
    thread: z.string().nullable(),
    title: z.string().nullable(),
    agentId: Id.nullable().describe("The agent of this chat; `null`: that of the messenger."),
    conversationId: Id.nullable(),
    lastReceivedAt: Timestamp.nullable(),
  })
  .meta({ id: "MessengerChat" });
export type MessengerChat = z.infer<typeof MessengerChat>;

export const partStatuses = ["pending", "sending", "sent", "failed", "unknown"] as const;
export const receivedStatuses = ["pending", "started", "done", "ignored", "refused", "failed"] as const;

export const MessengerPart = z
  .object({
    id: Id,
    chatId: Id,
    direction: z.enum(["in", "out"]),
    kind: z.string(),
    status: z.enum([...partStatuses, ...receivedStatuses]),
    sender: z.string().nullable(),
    text: z.string(),
    error: z.string().nullable(),
    attempts: z.number().int(),
    runId: Id.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "MessengerPart" });
export type MessengerPart = z.infer<typeof MessengerPart>;

const params = z.object({ id: Id });
const write = { permission: "messengers:write", params } as const;

/** 256 random bits that a visitor's browser keeps: who has them is the visitor. */
const Visitor = z.string().regex(/^[\w-]{43}$/, "must be 43 characters of base64url");

const sampleVisitor = "mV3r0m1Y4hX2sJ8kQ5tB7nC9wE6uZ1aD0fG3iL5oP2x";

/** The body of a visit. It is sent as text, so that a browser asks for no consent of the server before each one. */
const Visit = z
  .strictObject({
    visitor: Visitor,
    tag: z.string().max(64).optional().describe("The tag of the last answer: the same chat is answered without its messages."),
    message: z
      .strictObject({ key: z.uuid().describe("Names the message: the same one is taken once."), text: z.string().trim().min(1).max(4_000) })
      .optional(),
  })
  .meta({ examples: [{ visitor: sampleVisitor }] });

const VisitedFile = z.strictObject({ visitor: Visitor }).meta({ examples: [{ visitor: sampleVisitor }] });

export const VisitAnswer = z
  .object({
    title: z.string(),
    greeting: z.string(),
    isWorking: z.boolean().describe("An answer is on its way."),
    tag: z.string(),
    messages: z
      .array(
        z.object({
          id: z.string(),
          from: z.enum(["visitor", "agent"]),
          text: z.string(),
          at: Timestamp,
          file: z.object({ name: z.string(), bytes: z.number().int() }).nullable(),
        }),
      )
      .nullable()
      .describe("The last 100 messages, oldest first; `null` when the tag is still that of the request."),
  })
  .meta({ id: "VisitAnswer" });
export type VisitAnswer = z.infer<typeof VisitAnswer>;

export const messengerEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/messengers",
    summary: "Accounts on platforms where people write to agents",
    permission: "messengers:read",
    query: z.object(pageQuery),
    response: listOf(Messenger),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/messengers",
    summary: "Connect an account of a platform",
    permission: "messengers:write",
    body: MessengerDraft,
    response: Messenger,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/messengers/{id}",
    summary: "One messenger",
    permission: "messengers:read",
    params,
    response: Messenger,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/messengers/{id}",
    summary: "Replace a messenger's settings; secrets that are left out stay",
    headers: ["If-Match"],
    ...write,
    body: MessengerDraft,
    response: Messenger,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/messengers/{id}",
    summary: "Remove a messenger with its tools; conversations stay",
    headers: ["If-Match"],
    ...write,
    response: Empty,
  }),
  check: endpoint({
    method: "POST",
    path: "/api/v1/messengers/{id}/check",
    summary: "Ask the platform whether the credentials hold, and who the agent is there",
    ...write,
    response: Messenger,
  }),
  listChats: endpoint({
    method: "GET",
    path: "/api/v1/messengers/{id}/chats",
    summary: "Chats of a messenger, the last used first",
    permission: "messengers:read",
    params,
    query: z.object(pageQuery),
    response: listOf(MessengerChat),
  }),
  setChatAgent: endpoint({
    method: "PUT",
    path: "/api/v1/messengers/{id}/chats/{chatId}",
    summary: "Give a chat or group an agent of its own; its next message begins a conversation",
    permission: "messengers:write",
    params: z.object({ id: Id, chatId: Id }),
    body: z.strictObject({ agentId: Id.nullable() }).meta({ examples: [{ agentId: null }] }),
    response: MessengerChat,
  }),
  sendTest: endpoint({
    method: "POST",
    path: "/api/v1/messengers/{id}/chats/{chatId}/test",
    summary: "Send a test message to a chat",
    permission: "messengers:write",
    params: z.object({ id: Id, chatId: Id }),
    response: MessengerPart,
    status: 202,
  }),
  listParts: endpoint({
    method: "GET",
    path: "/api/v1/messengers/{id}/messages",
    summary: "What was received and sent in the last 30 days, newest first",
    permission: "messengers:read",
    params,
    query: z.object({ ...pageQuery, problems: z.enum(["true"]).optional().describe("Only what failed or is not known.") }),
    response: listOf(MessengerPart),
  }),
  receive: endpoint({
    method: "POST",
    path: "/messengers/{id}/webhook",
    summary: "Called by the platform, and signed in the platform's way",
    permission: null,
    ignoresCredentials: true,
    queryIsForeign: true,
    params,
    requestType: "application/octet-stream",
    maxBodyBytes: 5 * 1_048_576,
    responseType: "application/json",
  }),
  confirm: endpoint({
    method: "GET",
    path: "/messengers/{id}/webhook",
    summary: "Called by platforms that confirm a callback address with a challenge",
    permission: null,
    ignoresCredentials: true,
    queryIsForeign: true,
    params,
    responseType: "text/plain",
  }),
  visit: endpoint({
    method: "POST",
    path: "/messengers/{id}/visits",
    summary: "Called by the chat on a website: sends a visitor's message, and answers the chat so far",
    permission: null,
    ignoresCredentials: true,
    params,
    body: Visit,
    requestType: "text/plain",
    isReadableElsewhere: true,
    maxBodyBytes: 32_768,
    response: VisitAnswer,
    mayBeTooMany: true,
  }),
  visitFile: endpoint({
    method: "POST",
    path: "/messengers/{id}/visits/files/{partId}",
    summary: "A file that the agent has sent to a visitor of a website",
    permission: null,
    ignoresCredentials: true,
    params: z.object({ id: Id, partId: Id }),
    body: VisitedFile,
    requestType: "text/plain",
    isReadableElsewhere: true,
    maxBodyBytes: 1_024,
    responseType: "application/octet-stream",
    mayBeTooMany: true,
  }),
};

export const messengerContract = defineContract({
  reference: {
    name: "Messengers",
    description: "Accounts on platforms where people write to agents: Telegram, Slack, e-mail and others.",
  },
  glossary: {
    messenger: "An account on a platform where people write to an agent: Telegram, Slack, e-mail and others.",
    "place (of a conversation)": "Where a conversation lives: the messenger and its chat, private, group or thread.",
    "part (of an answer)": "One message to or from a platform, stored before it is acknowledged or sent.",
  },
  endpoints: messengerEndpoints,
  permissions: {
    "messengers:read": "See messengers, their chats and messages",
    "messengers:write": "Connect, change and remove messengers",
  },
  implies: { "messengers:write": ["messengers:read"] },
  audit: {
    "messenger.created": "Messenger connected",
    "messenger.updated": "Messenger updated",
    "messenger.removed": "Messenger removed",
    "messenger.chat_agent_set": "Agent of a chat changed",
    "messenger.message_refused": "Message of a messenger refused",
    "messenger.signature_refused": "Call of a messenger refused: wrong signature",
    "messenger.part_unknown": "Part of an answer whose delivery is not known",
    "messenger.part_failed": "Part of an answer that was not delivered",
  },
  navigation: {
    label: "Messengers",
    path: "/messengers",
    icon: "IconDeviceMobileMessage",
    key: "i",
    group: "connections",
    after: "/coding-agents",
  },
  origins: ["messenger"],
});
