import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ActorRef, JsonObject } from "../../contracts/common";
import type { Decision } from "../../contracts/decision";
import type { HookStep } from "../../contracts/hooks";
import { type ContentPart, callStatuses, turnEventNames, turnStatuses } from "../../contracts/turns";
import { createdAt, id, moment, times } from "../columns";
import { conversations } from "./conversations";

/**
 * No foreign key to the workspace here and on calls: it is the conversation's, whose removal takes them along, and each
 * further key is one more look-up on the path of every call.
 */
export const turns = pgTable(
  "turns",
  {
    id: id(),
    workspaceId: uuid().notNull(),
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
    /** Counts the changes of the turn and its calls: whoever writes says which one it has seen, and loses when there was another. */
    version: integer().notNull().default(0),
    /** When the question that it waits for was answered; absent again as soon as somebody takes it up. */
    answeredAt: moment(),
    /** Receives `turn.finished` as a signed webhook. */
    callbackUrl: text(),
    /** Events in the journal; the next one gets this number plus one. */
    eventCount: integer().notNull().default(0),
    finishedAt: moment(),
    ...times,
  },
  (table) => [
    uniqueIndex("turns_idempotency").on(table.conversationId, table.idempotencyKey).where(sql`${table.idempotencyKey} is not null`),
    index().on(table.conversationId, table.id),
    index().on(table.workspaceId, table.id),
    index("turns_unfinished").on(table.status, table.claimedBy).where(sql`${table.status} in ('running', 'suspended')`),
    index("turns_answered").on(table.answeredAt).where(sql`${table.answeredAt} is not null`),
    check("turns_claimed_while_running", sql`(${table.status} = 'running') = (${table.claimedBy} is not null)`),
    check("turns_finished_at_the_end", sql`(${table.status} in ('completed', 'cancelled')) = (${table.finishedAt} is not null)`),
  ],
);

/** What hooks made of a call. */
export type CallHooks = {
  /** What the model sent when hooks changed it, with secrets and what the hooks hide masked; null when they did not. */
  sent: JsonObject | null;
  /** The model wished for a background job: that is no argument, and the arguments were written anew. */
  inBackground: boolean;
  /** Why a hook refuses the call, as a sentence. */
  refusal: string | null;
  steps: HookStep[];
};

export const toolCalls = pgTable(
  "tool_calls",
  {
    id: id(),
    workspaceId: uuid().notNull(),
    turnId: uuid()
      .notNull()
      .references(() => turns.id, { onDelete: "cascade" }),
    /** Place in the turn, from 0. */
    position: integer().notNull(),
    /** The runtime's own id. */
    runtimeId: text().notNull(),
    requestedName: text().notNull(),
    name: text().notNull(),
    /** Before the guard: what the model sent. After it: the parsed arguments that were decided on and run. Secrets are masked. */
    arguments: jsonb().$type<JsonObject>().notNull(),
    /** The JSON text that a model wrote, until it is parsed; kept when it cannot be. Secrets are masked. */
    rawArguments: text(),
    /** Both as they are to be run, sealed, where something in them is masked; absent as soon as the call is over. */
    sealedArguments: text(),
    status: text({ enum: callStatuses }).notNull().default("pending"),
    isError: boolean().notNull().default(false),
    content: text().notNull().default(""),
    contentParts: jsonb().$type<ContentPart[]>(),
    structuredContent: jsonb().$type<JsonObject>(),
    truncated: jsonb().$type<{ originalChars: number; artifactId: string }>(),
    /** What the user gets when the model only gets a placeholder (tools that return directly). */
    directContent: text(),
    decision: jsonb().$type<Decision>(),
    /** What hooks made of the call; null when none was for it. */
    hooks: jsonb().$type<CallHooks>(),
    approvalId: uuid(),
    /** The background job that the call became. */
    jobId: uuid(),
    /** Boot id of the replica that started it. */
    startedBy: uuid(),
    durationMs: integer(),
    startedAt: moment(),
    finishedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex().on(table.turnId, table.position),
    index("tool_calls_recent").on(table.workspaceId, table.id),
    check(
      "tool_calls_started_by_somebody",
      sql`${table.status} <> 'running' or (${table.startedBy} is not null and ${table.startedAt} is not null)`,
    ),
    check("tool_calls_asked_about", sql`${table.status} <> 'awaiting_approval' or ${table.approvalId} is not null`),
    check(
      "tool_calls_finished_at_the_end",
      sql`(${table.status} in ('pending', 'awaiting_approval', 'running')) = (${table.finishedAt} is null)`,
    ),
  ],
);

/**
 * What happened in a turn, in order: the event stream reads it, and Last-Event-ID is `seq`, counted from 1 in each turn. A
 * turn that was over before anybody could watch it has none; its events follow from its rows.
 */
export const turnEvents = pgTable(
  "turn_events",
  {
    seq: integer().notNull(),
    turnId: uuid()
      .notNull()
      .references(() => turns.id, { onDelete: "cascade" }),
    event: text({ enum: turnEventNames }).notNull(),
    data: jsonb().$type<JsonObject>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.turnId, table.seq] })],
);
