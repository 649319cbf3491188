import { sql } from "drizzle-orm";
import { boolean, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { disclosureModes } from "../../contracts/agents";
import type { AgentRunLimits, RunModel } from "../../contracts/runs";
import type { ToolEffect } from "../../contracts/tools";
import { id, times } from "../columns";
import { workspaces } from "./workspaces";

export const agents = pgTable(
  "agents",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    description: text().notNull().default(""),
    isDefault: boolean().notNull().default(false),
    disclosureMode: text({ enum: disclosureModes }).notNull().default("progressive"),
    sharedFolder: text(),
    /** Effects that its calls may have; absent: all. */
    allowedEffects: jsonb().$type<ToolEffect[]>(),
    /** It may make agents and wire them. */
    privileged: boolean().notNull().default(false),
    /** Text before every conversation, for its model. */
    instructions: text().notNull().default(""),
    /** Models of its runs, in the order in which they are tried. */
    models: jsonb().$type<RunModel[]>().notNull().default([]),
    /** Limits of its runs; absent: the defaults. */
    runLimits: jsonb().$type<AgentRunLimits>(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [
    unique().on(table.workspaceId, table.name),
    uniqueIndex("agents_one_default").on(table.workspaceId).where(sql`${table.isDefault}`),
  ],
);

/** Tools selected for an agent, by function name: a name stays selected while its server is unavailable. */
export const agentTools = pgTable(
  "agent_tools",
  {
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    toolName: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.toolName] })],
);
