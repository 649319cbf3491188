import { boolean, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { mcpStatuses, mcpTransports } from "../../contracts/mcp-servers";
import { toolTiers } from "../../contracts/tools";
import { id, moment, times } from "../columns";
import { workspaces } from "./workspaces";

export const mcpServers = pgTable(
  "mcp_servers",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    alias: text().notNull(),
    transport: text({ enum: mcpTransports }).notNull(),
    command: text(),
    args: jsonb().$type<string[]>().notNull().default([]),
    /** Sealed JSON object of environment variables. */
    envSealed: text(),
    cwd: text(),
    url: text(),
    /** Sealed JSON object of request headers. */
    headersSealed: text(),
    enabled: boolean().notNull().default(true),
    disclosureTier: text({ enum: toolTiers }).notNull().default("extension"),
    /** Upstream names; absent: all. */
    allowedTools: jsonb().$type<string[]>(),
    connectTimeoutSeconds: integer().notNull().default(90),
    callTimeoutSeconds: integer().notNull().default(60),
    status: text({ enum: mcpStatuses }).notNull().default("connecting"),
    lastError: text(),
    lastStderr: text(),
    lastConnectedAt: moment(),
    serverInfo: jsonb().$type<{ name: string; version: string }>(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.alias)],
);
