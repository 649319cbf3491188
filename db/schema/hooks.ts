import { boolean, doublePrecision, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { JsonObject } from "../../contracts/common";
import { type HookAction, hookEvents } from "../../contracts/hooks/hook-actions";
import { type HookChange, type HookMatch, hookOutcomes } from "../../contracts/hooks/hooks";
import { createdAt, id, times } from "../columns";
import { declareText } from "../personal-text";
import { workspaces } from "./workspaces";

/** Stored actions on calls and model requests of a workspace. */
export const hooks = pgTable(
  "hooks",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    event: text({ enum: hookEvents }).notNull(),
    match: jsonb().$type<HookMatch>().notNull(),
    action: jsonb().$type<HookAction>().notNull(),
    /** Lower ones run first. */
    order: integer().notNull().default(100),
    enabled: boolean().notNull().default(true),
    timeoutMs: integer().notNull(),
    ratePerMinute: integer().notNull(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [index().on(table.workspaceId, table.order)],
);

/** One execution of a hook. No foreign keys: a run outlives its hook and may be written before its call. Old runs are removed. */
export const hookRuns = pgTable(
  "hook_runs",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    hookId: uuid().notNull(),
    /** Name of the hook at that time. */
    name: text().notNull(),
    event: text({ enum: hookEvents }).notNull(),
    action: text().notNull(),
    outcome: text({ enum: hookOutcomes }).notNull(),
    message: text(),
    durationMs: doublePrecision().notNull(),
    /** Changes with secrets masked and without the values that the hook hides. */
    changes: jsonb().$type<HookChange[]>().notNull(),
    data: jsonb().$type<JsonObject>().notNull(),
    agent: text().notNull(),
    tool: text(),
    conversationId: uuid().notNull(),
    turnId: uuid(),
    callId: uuid(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.workspaceId, table.id), index().on(table.hookId, table.id), index().on(table.callId)],
);

export const hooksText = declareText({
  goes: [{ table: hookRuns, conversation: hookRuns.conversationId }],
  stays: [hooks],
});
