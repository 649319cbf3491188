import { boolean, index, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { deliveryOutcomes } from "../../contracts/channels";
import type { ActorRef } from "../../contracts/common";
import { createdAt, id, moment } from "../columns";
import { agents } from "./agents";
import { conversations } from "./conversations";
import { runs } from "./runs";
import { workspaces } from "./workspaces";

const workspaceId = () =>
  uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });
const channelId = () =>
  uuid()
    .notNull()
    .references(() => channels.id, { onDelete: "cascade" });

/** Channels of the message bus between agents. */
export const channels = pgTable(
  "channels",
  {
    id: id(),
    workspaceId: workspaceId(),
    name: text().notNull(),
    description: text().notNull(),
    /** The privileged agent that made the channel for its group. */
    groupAgentId: uuid().references(() => agents.id, { onDelete: "set null" }),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.workspaceId, table.name), index().on(table.groupAgentId)],
);

/** Messages of channels, kept for 30 days. */
export const channelMessages = pgTable(
  "channel_messages",
  {
    id: id(),
    workspaceId: workspaceId(),
    channelId: channelId(),
    text: text().notNull(),
    /** Name of the agent, or of the person or key that sent it. */
    sender: text().notNull(),
    /** Absent when no agent sent it. */
    senderAgentId: uuid().references(() => agents.id, { onDelete: "set null" }),
    /** The conversation in which it was sent. */
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    /** Messages that led to this one, this one included. */
    depth: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.channelId, table.id),
    index().on(table.workspaceId),
    index().on(table.senderAgentId),
    index().on(table.conversationId),
    index().on(table.createdAt),
  ],
);

/** Agents that start when a message comes. */
export const channelWatches = pgTable(
  "channel_watches",
  {
    id: id(),
    workspaceId: workspaceId(),
    channelId: channelId(),
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    name: text().notNull(),
    prompt: text().notNull(),
    /** Only messages of this sender count; absent: everybody's. */
    filterSender: text(),
    enabled: boolean().notNull().default(true),
    lastError: text(),
    lastFiredAt: moment(),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.agentId, table.name), index().on(table.channelId), index().on(table.workspaceId, table.id)],
);

/** Outcomes of messages at watches: one row each, however often the work is repeated. */
export const channelDeliveries = pgTable(
  "channel_deliveries",
  {
    id: id(),
    watchId: uuid()
      .notNull()
      .references(() => channelWatches.id, { onDelete: "cascade" }),
    messageId: uuid()
      .notNull()
      .references(() => channelMessages.id, { onDelete: "cascade" }),
    outcome: text({ enum: deliveryOutcomes }).notNull(),
    reason: text(),
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    runId: uuid().references(() => runs.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex().on(table.watchId, table.messageId),
    index().on(table.messageId),
    index().on(table.conversationId),
    index().on(table.runId),
  ],
);

/** Agents that a privileged agent made. Each has a channel of its own name, whose messages start it. */
export const groupNodes = pgTable(
  "group_nodes",
  {
    agentId: uuid()
      .primaryKey()
      .references(() => agents.id, { onDelete: "cascade" }),
    groupAgentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    channelId: channelId(),
    stopped: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.groupAgentId), index().on(table.channelId)],
);

/** Wires of groups: the answer of an agent's run is sent to a channel. */
export const groupWires = pgTable(
  "group_wires",
  {
    fromAgentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    channelId: channelId(),
    groupAgentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.fromAgentId, table.channelId] }), index().on(table.channelId), index().on(table.groupAgentId)],
);
