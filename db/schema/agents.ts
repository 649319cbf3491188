import { sql } from "drizzle-orm";
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { disclosureModes } from "../../contracts/agents/agents";
import type { ActorRef } from "../../contracts/common";
import type { AgentRunLimits, ModelSettings, RunModel } from "../../contracts/runs/runs";
import type { ToolEffect } from "../../contracts/tools/tools";
import { id, times } from "../columns";
import { declareText } from "../personal-text";
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
    /** Only builtin tools: none of MCP servers, HTTP tools, agents and skills. */
    toolsDisabled: boolean().notNull().default(false),
    /** It has no skills and none of their tools. */
    skillsDisabled: boolean().notNull().default(false),
    /** It may make agents and wire them. */
    privileged: boolean().notNull().default(false),
    /** Text before every conversation, for its model. */
    instructions: text().notNull().default(""),
    /** Models of its runs, in the order in which they are tried. */
    models: jsonb().$type<RunModel[]>().notNull().default([]),
    /** Settings of its models' replies; absent: the models' own. */
    modelSettings: jsonb().$type<ModelSettings>(),
    /** Limits of its runs; absent: the defaults. */
    runLimits: jsonb().$type<AgentRunLimits>(),
    /** Other agents may hand tasks to it. */
    mayBeAsked: boolean().notNull().default(false),
    /** Agents that tick it have it as a tool of its name. */
    offeredAsTool: boolean().notNull().default(false),
    /** Ids of the agents to which it may hand tasks; absent: all that may be asked. */
    delegates: jsonb().$type<string[]>(),
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

/** An agent's settings as columns, without its identity. */
export type AgentSettings = Omit<typeof agents.$inferInsert, "id" | "workspaceId" | "isDefault" | "version" | "createdAt" | "updatedAt">;

/** Every version of an agent's configuration, with its ticked tools. */
export const agentVersions = pgTable(
  "agent_versions",
  {
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    version: integer().notNull(),
    settings: jsonb().$type<AgentSettings>().notNull(),
    tools: jsonb().$type<string[]>().notNull(),
    /** One line for the list of versions. */
    summary: text().notNull(),
    actor: jsonb().$type<ActorRef>().notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.version] })],
);

export const agentsText = declareText({
  stays: [agents, agentTools, agentVersions],
});
