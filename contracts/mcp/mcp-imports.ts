import { z } from "zod";
import { Id, JsonObject } from "../common";
import { endpoint } from "../endpoint";
import { ToolTier } from "../tools/tools";
import { mcpServerSettings } from "./mcp-server-settings";

export const mcpConfigFormats = ["claude-desktop", "claude-code", "vscode", "cursor", "gemini", "zed", "windsurf", "registry"] as const;
export type McpConfigFormat = (typeof mcpConfigFormats)[number];

export const McpServerImport = z
  .strictObject({
    config: z
      .string()
      .min(1)
      .max(500_000)
      .describe(
        "The configuration of another program as it is: JSON with comments, TOML, YAML, a `server.json` or a list of the registry, an MCPB manifest, `claude mcp add` commands, an install link, a server's command or its address.",
      ),
    servers: z.array(z.string().max(500)).max(200).optional().describe("Names of the servers to add; absent: all that can be added."),
    values: z
      .record(z.string().max(500), z.record(z.string().max(300), z.string().max(8_000)))
      .default({})
      .describe("Missing or other values, by the server's name and the value's path: `alias`, `url`, `env.TOKEN`, `args.2`."),
    tier: ToolTier.default("extension"),
    dryRun: z.boolean().default(false).describe("Answers what would be added, and adds nothing."),
  })
  .meta({ examples: [{ config: '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "server"] } } }', dryRun: true }] });
export type McpServerImport = z.infer<typeof McpServerImport>;

export const McpServerImported = z
  .object({
    servers: z.array(
      z.object({
        name: z.string().describe("Its name in the other program, with a number where another one has that name."),
        settings: z
          .object({
            ...mcpServerSettings,
            alias: z.string(),
            command: z.string(),
            cwd: z.string(),
            url: z.string(),
            parallelCalls: mcpServerSettings.parallelCalls.optional(),
            sessionScope: mcpServerSettings.sessionScope.optional(),
          })
          .describe("What is taken; the values are those that were sent."),
        notes: z.array(z.string()).describe("What is changed or not taken, and why."),
        missing: z.array(z.string()).describe("Paths of values that only a person can supply."),
        status: z.enum(["ready", "added", "needs_value", "exists", "invalid", "forbidden"]),
        reason: z.string().nullable().describe("Why it is not added."),
        id: Id.nullable().describe("The added server."),
      }),
    ),
  })
  .meta({ id: "McpServerImported" });
export type McpServerImported = z.infer<typeof McpServerImported>;

/** Endpoints of the noun `MCP servers` that read and write configurations of other programs. */
export const mcpImportEndpoints = {
  importConfig: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers/import",
    summary: "Add the servers of another program's configuration; `dryRun` shows what would be added",
    permission: "mcp:write",
    body: McpServerImport,
    response: McpServerImported,
  }),
  exportConfig: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers/export",
    summary: "The servers as another program's configuration, with references in place of secrets",
    permission: "mcp:write",
    query: z.object({
      format: z
        .enum(mcpConfigFormats)
        .default("claude-code")
        .describe(
          "`registry`: a list as the MCP registry answers it, with a `server.json` each; `metadata.leftOut` names servers without one.",
        ),
    }),
    response: JsonObject,
  }),
};
