import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { JsonObject } from "../../../contracts/common";
import type { ToolHints } from "../../../contracts/tools/tool-changes";
import type { ToolFinding } from "../../../contracts/tools/tool-findings";
import { availabilityStatuses, toolEffects, toolModes, toolSources, toolSurfaces, toolTiers } from "../../../contracts/tools/tools";
import { trustClasses } from "../../../contracts/tools/trust";
import { id, times } from "../../columns";
import { declareText } from "../../personal-text";
import { mcpServers } from "../mcp/mcp-servers";
import { workspaces } from "../workspaces";
import type { KeptDefinition } from "./tool-changes";

/**
 * The registry's record of each tool. Every discovery refreshes the fields of the source (title, schema, effect ...)
 * and never touches the decisions of an admin (enabled, tier, the overrides).
 */
export const tools = pgTable(
  "tools",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    source: text({ enum: toolSources }).notNull(),
    mcpServerId: uuid().references(() => mcpServers.id, { onDelete: "cascade" }),
    /** Name of the tool at its source. */
    rawName: text().notNull(),
    family: text().notNull(),
    effect: text({ enum: toolEffects }).notNull(),
    mode: text({ enum: toolModes }).notNull().default("direct"),
    concurrencySafe: boolean().notNull(),
    /** Running the tool twice equals running it once, so recovery may start a call again. */
    idempotent: boolean().notNull().default(false),
    /** The tool's author allows background jobs. */
    backgroundable: boolean().notNull().default(false),
    dangerous: boolean().notNull().default(false),
    needs: jsonb().$type<string[]>().notNull().default([]),
    aliases: jsonb().$type<string[]>().notNull().default([]),
    primaryArgument: text(),
    inputSchema: jsonb().$type<JsonObject>().notNull(),
    /** `$schema` of the input schema as its server sent it, for MCP clients only. */
    schemaDialect: text(),
    schemaHash: text().notNull(),
    /** Schema of the structured content of an MCP tool's results; empty for a tool without one. */
    outputSchema: jsonb().$type<JsonObject>(),
    defaultTier: text({ enum: toolTiers }).notNull(),
    defaultTimeoutMs: integer().notNull(),
    availability: text({ enum: availabilityStatuses }).notNull().default("available"),
    availabilityReason: text(),
    /** Hash of the accepted definition of an MCP tool; absent for our own tools and before somebody accepts it. */
    pinHash: text(),
    /** The hash without the name. */
    contentHash: text(),
    /** The server's hints in the definition that the row holds. */
    annotations: jsonb().$type<ToolHints>(),
    /** `_meta` of the tool as its server lists it now, for MCP clients only: no model reads it, so it is not pinned. */
    meta: jsonb().$type<JsonObject>(),
    findings: jsonb().$type<ToolFinding[]>().notNull().default([]),
    /** The tool cannot be called: its server lists another definition, which waits for a person or was rejected. */
    quarantine: text({ enum: ["pending", "rejected"] }),
    /** The change that the quarantine is about. */
    changeId: uuid(),

    enabled: boolean().notNull().default(true),
    /** Tier set by an admin; absent: the default tier of the tool or its server. */
    disclosureTier: text({ enum: toolTiers }),
    timeoutMs: integer(),
    /** Characters of a result that the model reads; absent: the limit of the workspace. */
    resultLimit: integer(),
    descriptionOverride: text(),
    /** Effect set by an admin, in place of the source's claim. */
    effectOverride: text({ enum: toolEffects }),
    /** The user receives the whole result, and the model reads a placeholder. */
    returnDirect: boolean().notNull().default(false),
    /** Surface set by an admin; absent: the tool's name and its source decide. */
    surfaceOverride: text({ enum: toolSurfaces }),
    /** Lowest trust class that may call the tool; absent: every caller of tools may. */
    requiredTrust: text({ enum: trustClasses }),

    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name), index().on(table.mcpServerId)],
);

/**
 * Admin settings of MCP tools that their servers do not list at present. A tool that returns under its name gets these
 * settings again, so that a server cannot enable its tools by leaving them out once.
 */
export const absentToolSettings = pgTable(
  "absent_tool_settings",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    mcpServerId: uuid()
      .notNull()
      .references(() => mcpServers.id, { onDelete: "cascade" }),
    name: text().notNull(),
    settings: jsonb().$type<ToolSettings>().notNull(),
    /** The tool's pin, so that a server cannot change a tool by leaving it out once. */
    pin: jsonb().$type<KeptDefinition>(),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.mcpServerId, table.name)],
);

/** The columns of a tool that admins set. */
export type ToolSettings = Pick<
  typeof tools.$inferSelect,
  | "enabled"
  | "disclosureTier"
  | "timeoutMs"
  | "resultLimit"
  | "descriptionOverride"
  | "effectOverride"
  | "returnDirect"
  | "surfaceOverride"
  | "requiredTrust"
>;

export const toolsText = declareText({
  stays: [tools, absentToolSettings],
});
