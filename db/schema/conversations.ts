import { sql } from "drizzle-orm";
import { type AnyPgColumn, boolean, index, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ActorRef, JsonObject } from "../../contracts/common";
import { conversationOrigins } from "../../contracts/conversations/conversations";
import type { Delegator } from "../../contracts/conversations/delegator";
import type { Refusal } from "../../contracts/guard/refusals";
import type { Place } from "../../contracts/messengers/messenger-platforms";
import type { RunModel } from "../../contracts/runs/runs";
import { createdAt, id, times } from "../columns";
import { declareText } from "../personal-text";
import { agents } from "./agents";
import { workspaces } from "./workspaces";

/** Failures since the last success, of the same call (by digest) and the same tool (by name); `at` is milliseconds since 1970. */
export type FailureStreaks = Record<"calls" | "tools", Record<string, { times: number; at: number }>>;

export const conversations = pgTable(
  "conversations",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    channel: text(),
    /** The chat of a messenger in which the conversation lives. */
    place: jsonb().$type<Place>(),
    externalId: text(),
    origin: text({ enum: conversationOrigins }).notNull().default("chat"),
    interactive: boolean().notNull().default(true),
    metadata: jsonb().$type<JsonObject>().notNull().default({}),
    /** Streaks of failed calls, for the loop guard; absent without failures. */
    failures: jsonb().$type<FailureStreaks>(),
    /** Refused calls of the conversation, oldest first; absent without refusals. */
    refusals: jsonb().$type<Refusal[]>(),
    /** The conversation has or had background jobs, so a new turn looks for their results. */
    /** Tools whose documentation the model has read; absent without any. */
    documented: jsonb().$type<string[]>(),
    hasJobs: boolean().notNull().default(false),
    /** The conversation whose agent handed the task on; absent for conversations that no agent opened. */
    parentConversationId: uuid().references((): AnyPgColumn => conversations.id, { onDelete: "cascade" }),
    /** The call that handed the task on. */
    parentCallId: uuid(),
    /** The first conversation of the chain. */
    rootConversationId: uuid(),
    /** Agents that handed the task on, nearest first; their number is the depth. */
    delegators: jsonb().$type<Delegator[]>().notNull().default([]),
    /** The model that a person of the chat chose, tried before the agent's own; absent: the agent's. */
    model: jsonb().$type<RunModel>(),
    /** The only tools of the conversation's agent that it may use here; absent: all. */
    allowedTools: jsonb().$type<string[]>(),
    /** The conversation in whose folder the agent works; absent: a folder of its own. */
    folderOf: uuid(),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    ...times,
  },
  (table) => [
    unique().on(table.workspaceId, table.externalId),
    index().on(table.agentId),
    index("conversations_children").on(table.parentConversationId).where(sql`${table.parentConversationId} is not null`),
  ],
);

/** Extension tools that `enable_tool` made callable in one conversation. */
export const activations = pgTable(
  "activations",
  {
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    toolName: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.toolName] })],
);

export const conversationsText = declareText({
  family: [conversations],
});
