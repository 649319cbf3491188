import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { JsonObject } from "../../contracts/common";
import { availabilityStatuses, toolEffects, toolModes, toolSources, toolSurfaces, toolTiers } from "../../contracts/tools";
import { trustClasses } from "../../contracts/trust";
import { id, times } from "../columns";
import { mcpServers } from "./mcp-servers";
import { workspaces } from "./workspaces";

/**
 * The registry's memory of each tool. What the tool's source says (title, schema, effect ...) is refreshed at every
 * discovery; what an admin decided (enabled, tier, the overrides) is never touched by it.
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
    /** The name under which its source knows it. */
    rawName: text().notNull(),
    family: text().notNull(),
    effect: text({ enum: toolEffects }).notNull(),
    mode: text({ enum: toolModes }).notNull().default("direct"),
    concurrencySafe: boolean().notNull(),
    /** Running it twice does no more than running it once, so recovery may start it again. */
    idempotent: boolean().notNull().default(false),
    /** Its author allows it to run as a background job. */
    backgroundable: boolean().notNull().default(false),
    dangerous: boolean().notNull().default(false),
    needs: jsonb().$type<string[]>().notNull().default([]),
    aliases: jsonb().$type<string[]>().notNull().default([]),
    primaryArgument: text(),
    inputSchema: jsonb().$type<JsonObject>().notNull(),
    schemaHash: text().notNull(),
    defaultTier: text({ enum: toolTiers }).notNull(),
    defaultTimeoutMs: integer().notNull(),
    availability: text({ enum: availabilityStatuses }).notNull().default("available"),
    availabilityReason: text(),

    enabled: boolean().notNull().default(true),
    /** Absent: the tool's default tier, or its server's. */
    disclosureTier: text({ enum: toolTiers }),
    timeoutMs: integer(),
    descriptionOverride: text(),
    /** The result goes to the user as it is, and the model reads a placeholder. */
    returnDirect: boolean().notNull().default(false),
    /** Absent: the tool's name and what its source says of it decide. */
    surfaceOverride: text({ enum: toolSurfaces }),
    /** Only callers of this trust class or a higher one; absent: everybody who may call tools. */
    requiredTrust: text({ enum: trustClasses }),

    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name), index().on(table.mcpServerId)],
);
