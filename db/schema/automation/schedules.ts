import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import {
  missedRunPolicies,
  type ScheduleTiming,
  scheduleActions,
  scheduleRunStatuses,
  scheduleTriggers,
} from "../../../contracts/automation/schedules";
import type { ActorRef } from "../../../contracts/common";
import { createdAt, id, moment, times } from "../../columns";
import { declareText } from "../../personal-text";
import { agents } from "../agents";
import { conversations } from "../conversations";
import { runs } from "../runs";
import { workspaces } from "../workspaces";

/** Prompts and reminders that run by the clock. */
export const schedules = pgTable(
  "schedules",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    /** The conversation in which the agent made the schedule. */
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    name: text().notNull(),
    action: text({ enum: scheduleActions }).notNull(),
    text: text().notNull(),
    timing: jsonb().$type<ScheduleTiming>().notNull(),
    timezone: text().notNull(),
    missed: text({ enum: missedRunPolicies }).notNull(),
    enabled: boolean().notNull().default(true),
    /** Why Handrail paused the schedule. */
    pausedReason: text(),
    /** Due time of the next run; absent while the schedule is paused or over. */
    nextRunAt: moment(),
    lastRunAt: moment(),
    lastStatus: text({ enum: scheduleRunStatuses }),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [
    unique().on(table.agentId, table.name),
    index().on(table.workspaceId, table.id),
    index().on(table.conversationId),
    index("schedules_due").on(table.nextRunAt).where(sql`${table.enabled}`),
    check("schedules_due_while_enabled", sql`${table.enabled} = (${table.nextRunAt} is not null)`),
  ],
);

/** Runs of schedules, kept for 30 days. */
export const scheduleRuns = pgTable(
  "schedule_runs",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    scheduleId: uuid()
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    status: text({ enum: scheduleRunStatuses }).notNull(),
    trigger: text({ enum: scheduleTriggers }).notNull(),
    action: text({ enum: scheduleActions }).notNull(),
    text: text().notNull(),
    dueAt: moment().notNull(),
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    /** The agent's run, once it has started. */
    runId: uuid().references(() => runs.id, { onDelete: "set null" }),
    error: text(),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.workspaceId, table.id),
    index().on(table.scheduleId, table.id),
    index().on(table.conversationId),
    index().on(table.runId),
    index().on(table.createdAt),
  ],
);

export const schedulesText = declareText({
  goes: [
    { table: scheduleRuns, conversation: scheduleRuns.conversationId },
    { table: schedules, conversation: schedules.conversationId, maker: schedules.createdBy },
  ],
});
