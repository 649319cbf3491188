import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../../contracts/common";
import { type ToolDefinition, toolChangeKinds, toolChangeStatuses } from "../../../contracts/tools/tool-changes";
import type { ToolFinding } from "../../../contracts/tools/tool-findings";
import { createdAt, id, moment } from "../../columns";
import { declareText } from "../../personal-text";
import { mcpServers } from "../mcp/mcp-servers";
import { workspaces } from "../workspaces";

/** A definition as it is kept: with what the registry derives from it. */
export type KeptDefinition = ToolDefinition & {
  /** Hash without the name, by which a renamed tool is recognised. */
  contentHash: string;
  /** `$schema` of the input schema, which only MCP clients are shown; absent when the server sent none. */
  schemaDialect?: string | null;
  /** The hash without the output schema, by which a pin from before output schemas were pinned is recognised. */
  hashWithoutOutput?: string;
  /** Only of a pin: its output schema was read when it was pinned. */
  isOutputKnown?: boolean;
  primaryArgument: string | null;
  findings: ToolFinding[];
  /** Why the definition can never be called, such as a schema that does not compile. */
  unavailableReason: string | null;
};

/** Definitions that differ from a tool's pin, with the decisions about them. */
export const toolChanges = pgTable(
  "tool_changes",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    mcpServerId: uuid()
      .notNull()
      .references(() => mcpServers.id, { onDelete: "cascade" }),
    toolName: text().notNull(),
    kind: text({ enum: toolChangeKinds }).notNull(),
    status: text({ enum: toolChangeStatuses }).notNull().default("pending"),
    /** The pin at the time; absent for a tool without one. */
    before: jsonb().$type<KeptDefinition>(),
    after: jsonb().$type<KeptDefinition>().notNull(),
    renamedFrom: text(),
    seenAt: createdAt(),
    decidedAt: moment(),
    decidedBy: jsonb().$type<ActorRef>(),
    comment: text().notNull().default(""),
  },
  (table) => [
    uniqueIndex("tool_changes_one_pending").on(table.mcpServerId, table.toolName).where(sql`${table.status} = 'pending'`),
    index().on(table.workspaceId, table.status, table.id),
  ],
);

export const toolChangesText = declareText({
  stays: [toolChanges],
});
