import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "./common";
import { endpoint } from "./endpoint";
import { ToolTier, toolTiers } from "./tools";

export const mcpTransports = ["stdio", "sse", "streamable_http"] as const;
export const mcpStatuses = ["disabled", "connecting", "connected", "error"] as const;

/** Prefix of the server's tool names: `alias__tool`. */
export const McpAlias = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, "an alias has 1 to 32 lower-case letters, digits, _ or -, and starts with a letter or digit")
  .refine((alias) => !alias.includes("__"), "an alias cannot contain two underscores in a row");

const secretMap = z.record(z.string().min(1).max(200), z.string().max(8_000));

export const McpServer = z
  .object({
    id: Id,
    alias: z.string(),
    transport: z.enum(mcpTransports),
    command: z.string().nullable(),
    args: z.array(z.string()),
    /** Values are masked; `$env:NAME` and `${NAME}` references are shown as they are. */
    env: secretMap,
    cwd: z.string().nullable(),
    url: z.string().nullable(),
    headers: secretMap,
    enabled: z.boolean(),
    tier: z.enum(toolTiers),
    allowedTools: z.array(z.string()).nullable(),
    connectTimeoutSeconds: z.number().int(),
    callTimeoutSeconds: z.number().int(),
    status: z.enum(mcpStatuses),
    lastError: z.string().nullable().describe("One sentence, when the last connection attempt failed."),
    lastStderr: z.string().nullable().describe("The last lines that a stdio server wrote to its error stream."),
    lastConnectedAt: Timestamp.nullable(),
    serverInfo: z.object({ name: z.string(), version: z.string() }).nullable(),
    toolCount: z.number().int(),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "McpServer" });
export type McpServer = z.infer<typeof McpServer>;

const draft = {
  alias: McpAlias,
  transport: z.enum(mcpTransports),
  command: z.string().trim().min(1).max(1_000).nullable().optional(),
  args: z.array(z.string().max(4_000)).max(100).default([]),
  env: secretMap.default({}),
  cwd: z.string().max(1_000).nullable().optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable()
    .optional(),
  headers: secretMap.default({}),
  enabled: z.boolean().default(true),
  tier: ToolTier.default("extension"),
  allowedTools: z.array(z.string().max(200)).max(1_000).nullable().default(null),
  connectTimeoutSeconds: z.number().int().min(1).max(300).default(90),
  callTimeoutSeconds: z.number().int().min(1).max(300).default(60),
};

export const McpServerDraft = z
  .strictObject(draft)
  .superRefine((server, context) => {
    if (server.transport === "stdio" && !server.command) {
      context.addIssue({ code: "custom", path: ["command"], message: "a stdio server needs the command that starts it" });
    }
    if (server.transport !== "stdio" && !server.url) {
      context.addIssue({ code: "custom", path: ["url"], message: "a server over HTTP needs its URL" });
    }
  })
  .meta({
    examples: [
      { alias: "files", transport: "stdio", command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/srv/files"] },
    ],
  });
export type McpServerDraft = z.infer<typeof McpServerDraft>;

export const McpTestResult = z
  .object({
    ok: z.boolean(),
    latencyMs: z.number(),
    tools: z.array(z.object({ name: z.string(), description: z.string() })),
    error: z.string().nullable(),
    stderr: z.string().nullable(),
  })
  .meta({ id: "McpTestResult" });
export type McpTestResult = z.infer<typeof McpTestResult>;

const params = z.object({ id: Id });

export const mcpServerEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers",
    summary: "MCP servers of the workspace, by alias",
    permission: "tools:read",
    query: z.object(pageQuery),
    response: listOf(McpServer),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers",
    summary: "Add a server; it connects in the background and its tools appear by themselves",
    permission: "mcp:write",
    body: McpServerDraft,
    response: McpServer,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers/{id}",
    summary: "One MCP server",
    permission: "tools:read",
    params,
    response: McpServer,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/mcp/servers/{id}",
    summary: "Replace a server's settings; a masked secret sent back keeps the old value",
    headers: ["If-Match"],
    permission: "mcp:write",
    params,
    body: McpServerDraft,
    response: McpServer,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/mcp/servers/{id}",
    summary: "Disconnect a server and remove it with its tools",
    headers: ["If-Match"],
    permission: "mcp:write",
    params,
    response: Empty,
  }),
  test: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers/{id}/test",
    summary: "Open a second connection, list the tools and close it",
    permission: "mcp:write",
    params,
    response: McpTestResult,
  }),
  testDraft: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers/test",
    summary: "Test settings that are not saved yet",
    permission: "mcp:write",
    body: McpServerDraft,
    response: McpTestResult,
  }),
  reconnect: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers/{id}/reconnect",
    summary: "Close the connection and open a new one",
    permission: "mcp:write",
    params,
    response: McpTestResult,
  }),
  setTier: endpoint({
    method: "PUT",
    path: "/api/v1/mcp/servers/{id}/disclosure-tier",
    summary: "Choose the tier of all the server's tools",
    headers: ["If-Match"],
    permission: "mcp:write",
    params,
    body: z.strictObject({ tier: ToolTier }).meta({ examples: [{ tier: "core" }] }),
    response: McpServer,
  }),
  tools: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers/{id}/tools",
    summary: "The tools that the server listed last",
    permission: "tools:read",
    params,
    response: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          rawName: z.string(),
          description: z.string(),
          effect: z.string(),
          schemaHash: z.string(),
          allowed: z.boolean(),
        }),
      ),
    }),
  }),
};
