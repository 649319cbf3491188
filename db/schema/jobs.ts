import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { jobStatuses } from "../../contracts/calls/jobs";
import type { ActorRef, JsonObject } from "../../contracts/common";
import type { Decision } from "../../contracts/decisions/decision";
import type { ContentPart } from "../../contracts/turns/turns";
import { id, moment, times } from "../columns";
import { conversations } from "./conversations";
import { toolCalls, turns } from "./turns";

/** Background calls: decided like any other call, with a later result. */
export const jobs = pgTable(
  "jobs",
  {
    id: id(),
    workspaceId: uuid().notNull(),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    turnId: uuid()
      .notNull()
      .references(() => turns.id, { onDelete: "cascade" }),
    callId: uuid()
      .notNull()
      .references(() => toolCalls.id, { onDelete: "cascade" }),
    toolName: text().notNull(),
    /** Secrets are masked. */
    arguments: jsonb().$type<JsonObject>().notNull(),
    /** The arguments to run, sealed, when `arguments` holds masks; absent as soon as the job is over. */
    sealedArguments: text(),
    decision: jsonb().$type<Decision>().notNull(),
    requestedBy: jsonb().$type<ActorRef>().notNull(),
    status: text({ enum: jobStatuses }).notNull().default("pending"),
    /** Last line of progress, for people. */
    progress: text().notNull().default(""),
    content: text().notNull().default(""),
    contentParts: jsonb().$type<ContentPart[]>(),
    structuredContent: jsonb().$type<JsonObject>(),
    truncated: jsonb().$type<{ originalChars: number; artifactId: string }>(),
    /** Boot id of the replica that runs the job. */
    claimedBy: uuid(),
    cancelRequestedAt: moment(),
    /** A running call that a person moved to the background. */
    promoted: boolean().notNull().default(false),
    /** The later turn that delivered the result to the model. */
    deliveredTurnId: uuid(),
    durationMs: integer(),
    startedAt: moment(),
    finishedAt: moment(),
    ...times,
  },
  (table) => [
    index().on(table.workspaceId, table.id),
    index().on(table.conversationId, table.id),
    index("jobs_open").on(table.status).where(sql`${table.status} in ('pending', 'running')`),
    check("jobs_claimed_while_running", sql`(${table.status} = 'running') = (${table.claimedBy} is not null)`),
    check("jobs_finished_at_the_end", sql`(${table.status} in ('pending', 'running')) = (${table.finishedAt} is null)`),
  ],
);
