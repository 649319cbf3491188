import { z } from "zod";
import { Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

/** Levels of a server's log messages, as in RFC 5424. */
export const mcpLogLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
export type McpLogLevel = (typeof mcpLogLevels)[number];

export const McpResource = z
  .object({
    uri: z.string(),
    isTemplate: z.boolean().describe("The URI is a template (RFC 6570), such as `file:///{path}`."),
    name: z.string(),
    description: z.string(),
    mimeType: z.string().nullable(),
    size: z.number().nullable().describe("Bytes, when the server says so."),
  })
  .meta({ id: "McpResource" });
export type McpResource = z.infer<typeof McpResource>;

export const McpPrompt = z
  .object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
  })
  .meta({ id: "McpPrompt" });
export type McpPrompt = z.infer<typeof McpPrompt>;

export const McpLogLine = z
  .object({
    number: z.number().int(),
    at: Timestamp,
    level: z.enum(mcpLogLevels),
    logger: z.string().nullable(),
    text: z.string(),
  })
  .meta({ id: "McpLogLine" });
export type McpLogLine = z.infer<typeof McpLogLine>;

const notes = z.array(z.string()).describe("Why entries of the server may be missing, such as a list whose cursor comes again.");
const params = z.object({ id: Id });
const query = z.object({ ...pageQuery, query: z.string().max(200).optional().describe("Part of the name, the description or the URI.") });

export const mcpContentEndpoints = {
  resources: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers/{id}/resources",
    summary: "Resources and resource templates that a connected server lists, by URI",
    permission: "tools:read",
    params,
    query,
    response: listOf(McpResource).extend({ notes }),
  }),
  prompts: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers/{id}/prompts",
    summary: "Prompts that a connected server lists, by name",
    permission: "tools:read",
    params,
    query,
    response: listOf(McpPrompt).extend({ notes }),
  }),
  log: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers/{id}/log",
    summary: "The newest log messages of a server, as the answering replica received them; 500 at most",
    permission: "mcp:write",
    params,
    response: z.object({ items: z.array(McpLogLine) }),
  }),
};

export const mcpContentContract = defineContract({
  reference: { name: "Contents of MCP servers", description: "Resources, prompts and log messages of connected servers." },
  glossary: {
    "resource link": "A reference in a result to a resource of its MCP server, which `read_resource` reads.",
  },
  endpoints: mcpContentEndpoints,
});
