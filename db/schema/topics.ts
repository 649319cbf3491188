import { boolean, index, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { deliveryOutcomes } from "../../contracts/agents/topics";
import type { ActorRef } from "../../contracts/common";
import { createdAt, id, moment } from "../columns";
import { declareText } from "../personal-text";
import { agents } from "./agents";
import { conversations } from "./conversations";
import { runs } from "./runs";
import { workspaces } from "./workspaces";

const workspaceId = () =>
  uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });
const topicId = () =>
  uuid()
    .notNull()
    .references(() => topics.id, { onDelete: "cascade" });

/** Topics of the message bus between agents. */
export const topics = pgTable(
  "topics",
  {
    id: id(),
    workspaceId: workspaceId(),
    name: text().notNull(),
    description: text().notNull(),
    /** The privileged agent that made the topic for its group. */
    groupAgentId: uuid().references(() => agents.id, { onDelete: "set null" }),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.workspaceId, table.name), index().on(table.groupAgentId)],
);

/** Messages of topics, kept for 30 days. */
export const topicMessages = pgTable(
  "topic_messages",
  {
    id: id(),
    workspaceId: workspaceId(),
    topicId: topicId(),
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
    index().on(table.topicId, table.id),
    index().on(table.workspaceId),
    index().on(table.senderAgentId),
    index().on(table.conversationId),
    index().on(table.createdAt),
  ],
);

/** Agents that start when a message comes. */
export const topicWatches = pgTable(
  "topic_watches",
  {
    id: id(),
    workspaceId: workspaceId(),
    topicId: topicId(),
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
  (table) => [unique().on(table.agentId, table.name), index().on(table.topicId), index().on(table.workspaceId, table.id)],
);

/** Outcomes of messages at watches: one row each, however often the work is repeated. */
export const topicDeliveries = pgTable(
  "topic_deliveries",
  {
    id: id(),
    watchId: uuid()
      .notNull()
      .references(() => topicWatches.id, { onDelete: "cascade" }),
    messageId: uuid()
      .notNull()
      .references(() => topicMessages.id, { onDelete: "cascade" }),
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

/** Agents that a privileged agent made. Each has a topic of its own name, whose messages start it. */
export const groupNodes = pgTable(
  "group_nodes",
  {
    agentId: uuid()
      .primaryKey()
      .references(() => agents.id, { onDelete: "cascade" }),
    groupAgentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    topicId: topicId(),
    stopped: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.groupAgentId), index().on(table.topicId)],
);

/** Wires of groups: the answer of an agent's run is sent to a topic. */
export const groupWires = pgTable(
  "group_wires",
  {
    fromAgentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    topicId: topicId(),
    groupAgentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.fromAgentId, table.topicId] }), index().on(table.topicId), index().on(table.groupAgentId)],
);

export const topicsText = declareText({
  goes: [
    { table: topicMessages, conversation: topicMessages.conversationId },
    { table: topicDeliveries, conversation: topicDeliveries.conversationId },
    { table: topicWatches, maker: topicWatches.createdBy },
  ],
  stays: [topics, groupNodes, groupWires],
});
