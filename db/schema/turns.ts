import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ActorRef, JsonObject } from "../../contracts/common";
import type { Decision } from "../../contracts/guard";
import { type ContentPart, callStatuses, turnEventNames, turnStatuses } from "../../contracts/turns";
import { createdAt, id, moment, times } from "../columns";
import { conversations } from "./conversations";
import { workspaces } from "./workspaces";

export const turns = pgTable(
  "turns",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    status: text({ enum: turnStatuses }).notNull().default("running"),
    idempotencyKey: text(),
    /** SHA-256 of the submitted calls: the same key with other calls is a mistake, not a retry. */
    requestDigest: text().notNull(),
    requestedBy: jsonb().$type<ActorRef>().notNull(),
    /** Boot id of the replica that is working on it; absent when nobody is. */
    claimedBy: uuid(),
    cancelRequestedAt: moment(),
    finishedAt: moment(),
    ...times,
  },
  (table) => [
    unique().on(table.conversationId, table.idempotencyKey),
    index().on(table.conversationId, table.id),
    index("turns_unfinished").on(table.status).where(sql`${table.status} in ('running', 'suspended')`),
  ],
);

export const toolCalls = pgTable(
  "tool_calls",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    turnId: uuid()
      .notNull()
      .references(() => turns.id, { onDelete: "cascade" }),
    /** Place in the turn, from 0. */
    position: integer().notNull(),
    /** The runtime's own id. */
    runtimeId: text().notNull(),
    requestedName: text().notNull(),
    name: text().notNull(),
    /** Before the guard: what the model sent. After it: the parsed arguments that were decided on and run. */
    arguments: jsonb().$type<JsonObject>().notNull(),
    /** The JSON text that a model wrote, until it is parsed; kept when it cannot be. */
    rawArguments: text(),
    status: text({ enum: callStatuses }).notNull().default("pending"),
    isError: boolean().notNull().default(false),
    content: text().notNull().default(""),
    contentParts: jsonb().$type<ContentPart[]>(),
    structuredContent: jsonb().$type<JsonObject>(),
    truncated: jsonb().$type<{ originalChars: number; artifactId: string }>(),
    decision: jsonb().$type<Decision>(),
    approvalId: uuid(),
    /** Boot id of the replica that started it. */
    startedBy: uuid(),
    durationMs: integer(),
    startedAt: moment(),
    finishedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex().on(table.turnId, table.position), index("tool_calls_recent").on(table.workspaceId, table.id)],
);

/** What happened in a turn, in order: the event stream reads it, and Last-Event-ID is `seq`. */
export const turnEvents = pgTable(
  "turn_events",
  {
    seq: bigserial({ mode: "number" }).primaryKey(),
    turnId: uuid()
      .notNull()
      .references(() => turns.id, { onDelete: "cascade" }),
    event: text({ enum: turnEventNames }).notNull(),
    data: jsonb().$type<JsonObject>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.turnId, table.seq)],
);
