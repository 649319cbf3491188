import { type SQLWrapper, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ActorRef, JsonObject } from "../../contracts/common";
import { type RunFile, type RunLimits, type RunModel, type RunUsage, runLimitNames, runStatuses } from "../../contracts/runs/runs";
import { createdAt, id, moment } from "../columns";
import { agents } from "./agents";
import { conversations } from "./conversations";

/** Runs of the built-in agent loop. The messages say what comes next: a request to the model, or the turn of its calls. */
export const runs = pgTable(
  "runs",
  {
    id: id(),
    workspaceId: uuid().notNull(),
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    status: text({ enum: runStatuses }).notNull(),
    idempotencyKey: text(),
    /** SHA-256 of the request: the same key with another request is a mistake, not a retry. */
    requestDigest: text().notNull(),
    requestedBy: jsonb().$type<ActorRef>().notNull(),
    models: jsonb().$type<RunModel[]>().notNull(),
    limits: jsonb().$type<RunLimits>().notNull(),
    /** Text for the user; set at the end. Secrets are masked. */
    answer: text(),
    error: text(),
    limit: text({ enum: runLimitNames }),
    /** Finished requests to the model. */
    steps: integer().notNull().default(0),
    inputTokens: bigint({ mode: "number" }).notNull().default(0),
    cachedInputTokens: bigint({ mode: "number" }).notNull().default(0),
    outputTokens: bigint({ mode: "number" }).notNull().default(0),
    /** Cost of the steps with known prices. */
    costUsd: doublePrecision().notNull().default(0),
    isCostKnown: boolean().notNull().default(true),
    /** Whether Handrail counted some of the tokens itself. */
    isUsageEstimated: boolean().notNull().default(false),
    /** Number of messages; the next message gets this position. */
    messageCount: integer().notNull().default(0),
    /** The last turn of the run. */
    turnId: uuid(),
    /** The run whose message replaced this one's. The history that a model reads leaves this run out. */
    supersededBy: uuid(),
    /** Boot id of the replica that works on the run; absent when none does. */
    claimedBy: uuid(),
    /** The number of agents that handed the task on; 0 for a run that a person or a program started. */
    depth: integer().notNull().default(0),
    /** The call that waits for the run; the run is cancelled when that call has ended. Absent when nobody waits. */
    awaitedBy: uuid(),
    /** End of the last wait of a child that was added to the run's time. */
    creditedUntil: moment(),
    /** Optimistic lock of the owner: a claim and every write of the owner count it up. */
    version: integer().notNull().default(0),
    cancelRequestedAt: moment(),
    /** End of the run's time; moved on by the time for which the run waited. */
    deadlineAt: moment().notNull(),
    waitingSince: moment(),
    finishedAt: moment(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex("runs_idempotency").on(table.agentId, table.idempotencyKey).where(sql`${table.idempotencyKey} is not null`),
    uniqueIndex("runs_one_open").on(table.conversationId).where(sql`${table.status} in ('queued', 'running', 'waiting')`),
    index().on(table.conversationId, table.id),
    index().on(table.agentId, table.id),
    index().on(table.workspaceId, table.id),
    index("runs_awaited").on(table.awaitedBy).where(sql`${table.awaitedBy} is not null`),
    index("runs_open").on(table.status, table.agentId).where(sql`${table.status} in ('queued', 'running', 'waiting')`),
    check("runs_claimed_while_running", sql`(${table.status} = 'running') = (${table.claimedBy} is not null)`),
    check("runs_waiting_since", sql`(${table.status} = 'waiting') = (${table.waitingSince} is not null)`),
    check("runs_finished_at_the_end", sql`(${table.status} in ('queued', 'running', 'waiting')) = (${table.finishedAt} is null)`),
  ],
);

/** A message as a row holds it. */
export type RunMessageContent = {
  text: string;
  reasoning?: string;
  toolCalls?: { id: string; name: string; arguments: string }[];
  /** Data that the provider wants back unchanged. */
  providerData?: JsonObject | null;
  callId?: string;
  name?: string;
  isError?: boolean;
  /** Images of a tool's result, with their estimated cost in tokens. */
  images?: { artifactId: string; mediaType: string; tokens?: number }[];
  /** For a summary: the first message that it does not cover. */
  summarisesUntil?: { runId: string; position: number };
  /** For a summary: the user's latest request until then, which later summaries carry on; the text has it too. */
  request?: string;
  /** For a summary: results that stay word for word; the text has them too. */
  pinned?: string[];
  /** Files that came with a model's reply: images of its provider's own tools. */
  files?: RunFile[];
  /** Files of a person's message. */
  attachments?: { path: string; mediaType: string; bytes: number; artifactId: string | null }[];
};

/**
 * The words of a message: its text, the tool of a result, and the calls of a reply. The beginning of a long one only, because Postgres takes
 * at most 1 MB of words.
 */
export const messageWords = (content: SQLWrapper) =>
  wordsOf(
    sql`coalesce(${content} ->> 'name', '') || ' ' || coalesce(${content} ->> 'text', '') || ' ' || coalesce(${content} ->> 'toolCalls', '')`,
  );

/** Postgres would take a path, an address or a host name for one word, so what separates its parts becomes a space. */
const separators = "/._-:@=&?#%+~";

/** The words of a text as the index has them: a `tsvector` of English stems. */
export const wordsOf = (text: SQLWrapper) =>
  sql`to_tsvector('english'::regconfig, translate(left(${text}, 50000), '${sql.raw(separators)}', '${sql.raw(" ".repeat(separators.length))}'))`;

/** Messages of runs. The history of a conversation is the messages of its runs, in order. */
export const runMessages = pgTable(
  "run_messages",
  {
    runId: uuid()
      .notNull()
      .references(() => runs.id, { onDelete: "cascade" }),
    /** Place in the run, from 0. */
    position: integer().notNull(),
    /** `summary`: stands for older messages of the conversation. `note`: Handrail tells the model something, such as the end of a job. */
    role: text({ enum: ["user", "assistant", "tool", "summary", "note"] }).notNull(),
    /** Secrets are masked. */
    content: jsonb().$type<RunMessageContent>().notNull(),
    /** Unmasked `content`, sealed, when it holds masks: the model needs its history as it was. */
    sealedContent: text(),
    /** The model that wrote the message. */
    model: jsonb().$type<RunModel>(),
    usage: jsonb().$type<RunUsage>(),
    /** For a tool's result: the turn of the call. */
    turnId: uuid(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.position] }),
    index("run_messages_words").using("gin", messageWords(table.content)),
  ],
);
