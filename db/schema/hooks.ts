import { boolean, doublePrecision, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { JsonObject } from "../../contracts/common";
import { type HookAction, hookEvents } from "../../contracts/hook-actions";
import { type HookChange, type HookMatch, hookOutcomes } from "../../contracts/hooks";
import { createdAt, id, times } from "../columns";
import { workspaces } from "./workspaces";

/** What is done to calls and model requests of a workspace, and when. */
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

/**
 * Each run of a hook. It outlives its hook, and may be written before its call is, so it refers to neither by a key of
 * the database; old ones are removed.
 */
export const hookRuns = pgTable(
  "hook_runs",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    hookId: uuid().notNull(),
    /** As it was then. */
    name: text().notNull(),
    event: text({ enum: hookEvents }).notNull(),
    action: text().notNull(),
    outcome: text({ enum: hookOutcomes }).notNull(),
    message: text(),
    durationMs: doublePrecision().notNull(),
    /** Secrets masked, and nothing of what the hook hides. */
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
