import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { callStatuses } from "../../contracts/calls/call-statuses";
import type { ActorRef, JsonObject } from "../../contracts/common";
import type { Decision } from "../../contracts/decisions/decision";
import type { HookStep } from "../../contracts/hooks/hooks";
import type { CallMachine } from "../../contracts/tools/machine";
import { type ContentPart, turnEventNames, turnStatuses } from "../../contracts/turns/turns";
import { createdAt, id, moment, times } from "../columns";
import { conversations } from "./conversations";

/**
 * No foreign key to the workspace here and on calls, because each key costs a look-up on the path of every call.
 * Deleting a workspace deletes its conversations, whose keys delete turns and calls.
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
    /** Boot id of the replica that works on the turn; absent when none does. */
    claimedBy: uuid(),
    cancelRequestedAt: moment(),
    /**
     * Optimistic lock: counts the changes of the turn and its calls. A writer names the version that it read and loses
     * against a newer one.
     */
    version: integer().notNull().default(0),
    /** Time of the answer to the pending question; absent again as soon as a replica takes the turn up. */
    answeredAt: moment(),
    /** The machine on which a client runs the calls; absent when Handrail runs them. */
    machine: jsonb().$type<CallMachine>(),
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
    // Finds a call that a client sends again after its connection broke.
    index("turns_at_clients").on(table.conversationId, table.requestDigest).where(sql`${table.machine} is not null`),
    index("turns_answered").on(table.answeredAt).where(sql`${table.answeredAt} is not null`),
    check("turns_claimed_while_running", sql`(${table.status} = 'running') = (${table.claimedBy} is not null)`),
    check("turns_finished_at_the_end", sql`(${table.status} in ('completed', 'cancelled')) = (${table.finishedAt} is not null)`),
  ],
);

/** Effect of the hooks on a call. */
export type CallHooks = {
  /** The model's arguments before hooks changed them, with secrets and hidden values masked; null when nothing changed. */
  sent: JsonObject | null;
  /** The model asked for a background job. Stored here, because that wish is no argument and hooks wrote the arguments anew. */
  inBackground: boolean;
  /** Reason why a hook refused the call, as a sentence. */
  refusal: string | null;
  steps: HookStep[];
};

/** An approver's change of a call's arguments: the arguments as asked, secrets masked, and who changed them. */
export type CallEdit = { asked: JsonObject; by: ActorRef };

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
    /** Id of the call in the runtime. */
    runtimeId: text().notNull(),
    requestedName: text().notNull(),
    /** The tool in whose arguments the model sent this call, such as `tool_call`; absent for a direct call. */
    carriedBy: text(),
    name: text().notNull(),
    /** Before the guard: the model's arguments. After the guard: the parsed arguments that were decided on and run. Secrets are masked. */
    arguments: jsonb().$type<JsonObject>().notNull(),
    /** The model's JSON text until it is parsed; kept when parsing fails. Secrets are masked. */
    rawArguments: text(),
    /** Unmasked `arguments` and `rawArguments`, sealed, when either holds masks; absent as soon as the call is over. */
    sealedArguments: text(),
    /** `_meta` of the client's request for the tool's MCP server, sealed; absent as soon as the call is over. */
    sealedMeta: text(),
    status: text({ enum: callStatuses }).notNull().default("pending"),
    isError: boolean().notNull().default(false),
    content: text().notNull().default(""),
    contentParts: jsonb().$type<ContentPart[]>(),
    structuredContent: jsonb().$type<JsonObject>(),
    truncated: jsonb().$type<{ originalChars: number; artifactId: string }>(),
    /** The user's result when the model reads only a placeholder (tools that return directly). */
    directContent: text(),
    decision: jsonb().$type<Decision>(),
    /** The rule that decided. A column of its own, because counting the calls of rules must not read decisions. */
    ruleId: text().generatedAlwaysAs(sql`decision ->> 'ruleId'`),
    /** Effect of the hooks on the call; null when no hook applied. */
    hooks: jsonb().$type<CallHooks>(),
    approvalId: uuid(),
    /** An approver's change: `arguments` holds the arguments that run. */
    edited: jsonb().$type<CallEdit>(),
    /** The background job that the call became. */
    jobId: uuid(),
    /** While the call runs: the people or the durable work that it waits for; null while it works. */
    waitsFor: text(),
    /** Time at which the client that runs the call was told to. */
    deliveredAt: moment(),
    /** Boot id of the replica that started the call. */
    startedBy: uuid(),
    durationMs: integer(),
    startedAt: moment(),
    finishedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex().on(table.turnId, table.position),
    // Covering index: the overview counts millions of calls, and a row with its content is several times larger.
    index("tool_calls_recent").on(table.workspaceId, table.id, table.status, table.name, table.durationMs, table.createdAt, table.ruleId),
    check(
      "tool_calls_started_by_somebody",
      sql`${table.status} <> 'running' or (${table.startedBy} is not null and ${table.startedAt} is not null)`,
    ),
    check("tool_calls_asked_about", sql`${table.status} <> 'awaiting_approval' or ${table.approvalId} is not null`),
    check(
      "tool_calls_finished_at_the_end",
      sql`(${table.status} in ('pending', 'awaiting_approval', 'running', 'released')) = (${table.finishedAt} is null)`,
    ),
  ],
);

/**
 * The journal: ordered events of a turn. The event stream reads them, and Last-Event-ID is `seq`, counted from 1 in
 * each turn. A turn that ended before anybody could watch has no events; its rows supply them.
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
