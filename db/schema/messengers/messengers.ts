import { type SQL, sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../../contracts/common";
import { messengerPlatforms, messengerTransports, placeKinds } from "../../../contracts/messengers/messenger-platforms";
import { chatApprovalRules, messengerStates, partStatuses, receivedStatuses, writerRules } from "../../../contracts/messengers/messengers";
import type { NamedModel } from "../../../contracts/models/models";
import { createdAt, id, moment, times } from "../../columns";
import { declareText, type PersonKey } from "../../personal-text";
import { agents } from "../agents";
import { conversations } from "../conversations";
import { tools } from "../tools/tools";
import { workspaces } from "../workspaces";
import { contacts } from "./contacts";

const ofWorkspace = () =>
  uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });
const ofMessenger = () =>
  uuid()
    .notNull()
    .references(() => messengers.id, { onDelete: "cascade" });

/** Accounts on platforms where people write to agents. */
export const messengers = pgTable(
  "messengers",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    name: text().notNull(),
    platform: text({ enum: messengerPlatforms }).notNull(),
    transport: text({ enum: messengerTransports }).notNull(),
    /** Absent: the default agent of the workspace. */
    agentId: uuid().references(() => agents.id, { onDelete: "set null" }),
    settings: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Sealed JSON of the secrets by name. */
    secretsSealed: text().notNull(),
    writers: text({ enum: writerRules }).notNull(),
    needsMention: boolean().notNull(),
    doneSign: boolean().notNull(),
    streams: boolean().notNull(),
    joinSeconds: integer().notNull(),
    approvals: text({ enum: chatApprovalRules }).notNull(),
    speechModel: jsonb().$type<NamedModel>(),
    enabled: boolean().notNull(),
    bot: jsonb().$type<{ id: string; name: string }>(),
    state: text({ enum: messengerStates }).notNull().default("waiting"),
    lastError: text(),
    lastErrorAt: moment(),
    lastReceivedAt: moment(),
    lastSentAt: moment(),
    /** The place at which the connection goes on, such as the offset of Telegram's updates; written with the rows of what was received. */
    cursor: text(),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);

/** Addresses of people on messengers. */
export const contactAddresses = pgTable(
  "contact_addresses",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    contactId: uuid()
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    messengerId: uuid()
      .notNull()
      .references(() => messengers.id, { onDelete: "cascade" }),
    /** The platform's id of the person. */
    address: text().notNull(),
    /** The name that the person has there. */
    name: text().notNull().default(""),
    /** The private chat with the person; absent before the person has written privately. */
    chat: text(),
    lastUsedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.messengerId, table.address), index().on(table.contactId)],
);

/** Chats of messengers: the places of conversations. */
export const messengerChats = pgTable(
  "messenger_chats",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    messengerId: ofMessenger(),
    kind: text({ enum: placeKinds }).notNull(),
    /** The platform's id of the chat. */
    chat: text().notNull(),
    /** The platform's id of the thread; empty outside of threads. */
    thread: text().notNull().default(""),
    title: text(),
    /** A text that the platform wants back with each answer, such as an address of its own. */
    replyTo: jsonb().$type<Record<string, string>>(),
    agentId: uuid().references(() => agents.id, { onDelete: "set null" }),
    /** The conversation that goes on here; absent before the first message and after `/new`. */
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    lastReceivedAt: moment(),
    /** Boot id of the replica that takes what was received. */
    receivingBy: uuid(),
    /** Boot id of the replica that sends. */
    sendingBy: uuid(),
    /** Storings since the last look at the chat; the first of them queues the next look. */
    storedSinceLook: integer().notNull().default(0),
    ...times,
  },
  (table) => [unique().on(table.messengerId, table.chat, table.thread), index().on(table.conversationId)],
);

/** A file of a message as the platform names it. */
export type ReceivedFile = {
  ref: string;
  name: string;
  mediaType: string | null;
  bytes: number | null;
  kind: "file" | "image" | "audio" | "video";
};

/** Messages and clicks as they came from platforms, each stored before it is acknowledged. */
export const messengerInbound = pgTable(
  "messenger_inbound",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    messengerId: ofMessenger(),
    chatId: uuid()
      .notNull()
      .references(() => messengerChats.id, { onDelete: "cascade" }),
    /** The platform's id: the same event that comes again finds its row. */
    key: text().notNull(),
    kind: text({ enum: ["message", "click"] }).notNull(),
    /** The platform's id of the message, by which reactions and replies name it. */
    messageRef: text(),
    senderId: text().notNull(),
    senderName: text().notNull(),
    senderEmail: text(),
    contactId: uuid().references(() => contacts.id, { onDelete: "set null" }),
    text: text().notNull(),
    /** True when a message of a group is meant for the agent. */
    isMention: boolean().notNull().default(false),
    /** True when the platform vouches for the sender; a mail's sender is a claim unless the mail server confirms it. */
    isVerified: boolean().notNull().default(true),
    files: jsonb().$type<ReceivedFile[]>().notNull().default([]),
    status: text({ enum: receivedStatuses }).notNull().default("pending"),
    /** The first of the messages that became one. */
    batchId: uuid(),
    /** The text for the agent, at the first message of a batch. */
    prompt: text(),
    attachments: jsonb().$type<string[]>(),
    conversationId: uuid(),
    runId: uuid(),
    error: text(),
    receivedAt: createdAt(),
    doneAt: moment(),
  },
  (table) => [
    unique().on(table.messengerId, table.key),
    index("messenger_inbound_open").on(table.chatId, table.id).where(sql`${table.status} in ('pending', 'started')`),
    index().on(table.messengerId, table.id),
  ],
);

/** One button of a card. */
export type CardButton = { label: string; value: string; style?: "primary" | "danger" };

/** The content of a part. */
export type PartContent =
  | {
      kind: "text";
      text: string /** The message of this run that was shown while it was written is replaced. */;
      replacesStreamOf?: string;
    }
  | { kind: "card"; text: string; buttons: CardButton[] }
  | { kind: "file"; name: string; mediaType: string; bytes: number; sha256: string; caption?: string; as?: "file" | "photo" | "voice" }
  /** Replaces the text of an earlier part and takes its buttons away. */
  | { kind: "edit"; partId: string; text: string }
  | { kind: "reaction"; messageRef: string; emoji: string; isBig?: boolean }
  /** The answer while it is written. */
  | { kind: "stream"; text: string };

/** Parts of answers, each stored before it is sent. A part that may have been sent is `unknown`, and is not repeated. */
export const messengerOutbound = pgTable(
  "messenger_outbound",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    messengerId: ofMessenger(),
    chatId: uuid()
      .notNull()
      .references(() => messengerChats.id, { onDelete: "cascade" }),
    /** Names the part, so that the same work stores it once. */
    key: text().notNull(),
    content: jsonb().$type<PartContent>().notNull(),
    status: text({ enum: partStatuses }).notNull().default("pending"),
    /** The platform's id of the sent message. */
    messageRef: text(),
    runId: uuid(),
    approvalId: uuid(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: moment(),
    /** Boot id of the replica that sends the part. */
    claimedBy: uuid(),
    error: text(),
    createdAt: createdAt(),
    sentAt: moment(),
  },
  (table) => [
    unique().on(table.messengerId, table.key),
    index("messenger_outbound_open").on(table.chatId, table.id).where(sql`${table.status} in ('pending', 'sending')`),
    index().on(table.messengerId, table.id),
    index().on(table.messengerId, table.messageRef),
    index().on(table.approvalId),
  ],
);

/** Tools that come and go with the messengers of a workspace. */
export const messengerTools = pgTable(
  "messenger_tools",
  {
    toolId: uuid()
      .primaryKey()
      .references(() => tools.id, { onDelete: "cascade" }),
    workspaceId: ofWorkspace(),
    /** Absent: the tool serves all messengers of the workspace. */
    messengerId: uuid().references(() => messengers.id, { onDelete: "cascade" }),
    base: text().notNull(),
  },
  (table) => [index().on(table.workspaceId), index().on(table.messengerId)],
);

/** The private chats of a contact. Chats of groups belong to their groups. */
const privateChatOf = ({ id }: PersonKey): SQL => sql`${messengerChats.kind} = 'private' and exists (
  select from contact_addresses a where a.contact_id::text = ${id} and a.messenger_id = ${messengerChats.messengerId}
    and ${messengerChats.chat} in (a.chat, a.address))`;

export const messengersText = declareText({
  goes: [
    {
      table: messengerInbound,
      conversation: messengerInbound.conversationId,
      person: messengerInbound.contactId,
    },
    {
      table: messengerOutbound,
      run: messengerOutbound.runId,
      approval: messengerOutbound.approvalId,
      blobs: [sql`${messengerOutbound.content} ->> 'sha256'`],
    },
    { table: messengerChats, rows: privateChatOf },
  ],
  stays: [messengers, messengerTools],
});
