import { boolean, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import {
  type McpAuthorization,
  type McpCure,
  type McpEnding,
  mcpNetworks,
  mcpStatuses,
  mcpTransports,
} from "../../../contracts/mcp/mcp-servers";
import { questionPlaces } from "../../../contracts/mcp/server-pins";
import { sessionScopes } from "../../../contracts/mcp/session-scope";
import { toolTiers } from "../../../contracts/tools/tools";
import { id, moment, times } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

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
    /** Sealed JSON array of arguments, because any argument may be a secret. */
    argsSealed: text(),
    /** Arguments of a row that is older than `argsSealed`; sealed at the next start. */
    args: jsonb().$type<string[]>().notNull().default([]),
    /** Sealed JSON object of environment variables. */
    envSealed: text(),
    cwd: text(),
    network: text({ enum: mcpNetworks }).notNull().default("open"),
    /** Hosts that the server's program may reach: a name or `*.` and a domain, each with or without a port. */
    allowedHosts: jsonb().$type<string[]>().notNull().default([]),
    /** Absolute paths that the server's program may read in the sandbox, beside its own package. */
    readablePaths: jsonb().$type<string[]>().notNull().default([]),
    /** An owner lets the program run without the sandbox. */
    outsideSandbox: boolean().notNull().default(false),
    /** Sealed address, which may carry a password or a key. */
    urlSealed: text(),
    /** Address of a row that is older than `urlSealed`; sealed at the next start. */
    url: text(),
    /** Sealed JSON object of request headers. */
    headersSealed: text(),
    enabled: boolean().notNull().default(true),
    disclosureTier: text({ enum: toolTiers }).notNull().default("extension"),
    /** Tools may override the server's tier. */
    tierPerTool: boolean().notNull().default(false),
    /** Upstream names of allowed tools; absent: all, empty: none. */
    allowedTools: jsonb().$type<string[]>(),
    /** Upstream names of tools that are left out in any case. */
    excludedTools: jsonb().$type<string[]>().notNull().default([]),
    /** An admin trusts what the server says about its tools, so that `readOnlyHint` makes a tool read-only. */
    trustHints: boolean().notNull().default(false),
    /** Its tools may ask the workspace's models while they run. */
    allowSampling: boolean().notNull().default(false),
    /** Who answers its questions first: the MCP client that made the call, or only people in the console. */
    questions: text({ enum: questionPlaces }).notNull().default("client_first"),
    /** MCP clients see its prompts and resources. */
    offerContents: boolean().notNull().default(false),
    /** Upstream names of all tools that the server has to list; absent: any. */
    expectedTools: jsonb().$type<string[]>(),
    /** Version that the server has to report; absent: any. */
    expectedVersion: text(),
    /** Digest `sha256:<hex>` of the program's file or package; absent: any. */
    packageDigest: text(),
    connectTimeoutSeconds: integer().notNull().default(90),
    callTimeoutSeconds: integer().notNull().default(60),
    /** Calls of one conversation run side by side. */
    parallelCalls: boolean().notNull().default(true),
    sessionScope: text({ enum: sessionScopes }).notNull().default("shared"),
    /** Seconds without a call after which a session of one conversation or user is closed. */
    sessionIdleSeconds: integer().notNull().default(600),
    status: text({ enum: mcpStatuses }).notNull().default("connecting"),
    /** Public part of the sign-in. `id` is new with each sign-in, so that every replica connects again. */
    authorization: jsonb().$type<{ id: string | null } & McpAuthorization>(),
    /** Each person signs in at the server's authorization server, and calls carry the asker's sign-in. */
    personalSignIn: boolean().notNull().default(false),
    /** The person whose sign-in lists the tools while the workspace has none. */
    listedWith: jsonb().$type<{ personId: string; name: string }>(),
    lastError: text(),
    lastStderr: text(),
    /** Openings that an admin can allow so that the last failure goes away. */
    cures: jsonb().$type<(McpCure & { ofStart?: true })[]>().notNull().default([]),
    /** The last time that an open connection ended by itself, kept after a reconnection. */
    lastEnding: jsonb().$type<McpEnding>(),
    lastConnectedAt: moment(),
    serverInfo: jsonb().$type<{ name: string; version: string }>(),
    /** The server's accepted instructions for models, cleaned and cut; absent without any. */
    instructions: text(),
    /** The change of the instructions that waits for a person or was rejected. */
    instructionsChangeId: uuid(),
    /** Reasons why listed tools are missing: the list was cut, or a tool cannot be offered. */
    toolNotes: jsonb().$type<string[]>().notNull().default([]),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.alias)],
);

export const mcpServersText = declareText({
  stays: [mcpServers],
});
