import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { pinStates, ToolChange } from "../tools/tool-changes";
import { ToolFinding } from "../tools/tool-findings";
import { ToolTier, tierCodes, toolEffects, toolTiers } from "../tools/tools";
import { mcpImportEndpoints } from "./mcp-imports";
import {
  checkTransport,
  McpAlias,
  McpServerDraft,
  McpServerPatch,
  maxTools,
  mcpNetworks,
  mcpServerDraft,
  mcpTransports,
  secretMap,
} from "./mcp-server-settings";
import { HintCounts, serverPinSettings } from "./server-pins";
import { sessionScopes } from "./session-scope";

export { McpAlias, McpServerDraft, McpServerPatch, maxTools, mcpNetworks, mcpTransports };
export const mcpStatuses = ["disabled", "connecting", "connected", "needs_sign_in", "error"] as const;

/** A person's sign-in at the authorization server of an MCP server. */
export const McpAuthorization = z
  .object({
    issuer: z.string().nullable().describe("Authorization server that issued the tokens; null while nobody is signed in."),
    scope: z.string().nullable().describe("Scope that the authorization server granted."),
    neededScope: z.string().nullable().describe("Scope that a call lacked. Connecting again asks for it."),
    signedInBy: z.string().nullable(),
    signedInAt: Timestamp.nullable(),
  })
  .meta({ id: "McpAuthorization" });
export type McpAuthorization = z.infer<typeof McpAuthorization>;

/** An opening that an admin can allow a stdio server's program, so that its last failure goes away. */
export const McpCure = z
  .discriminatedUnion("kind", [
    z
      .object({
        kind: z.literal("read"),
        path: z.string(),
        namedBy: z.literal("output").optional().describe("Only the server's own output names the path, and none of its settings does."),
      })
      .describe("Let it read a file or folder: add it to `readablePaths`."),
    z.object({ kind: z.literal("reach"), host: z.string() }).describe("Let it reach a host: add it to `allowedHosts`."),
    z.object({ kind: z.literal("outside") }).describe("Run it outside the sandbox: `outsideSandbox`, by an owner."),
  ])
  .meta({ id: "McpCure" });
export type McpCure = z.infer<typeof McpCure>;

/** The last time that an open connection ended by itself. */
export const McpEnding = z
  .object({ at: Timestamp, error: z.string(), stderr: z.string().nullable().describe("The last lines of the program's error stream.") })
  .meta({ id: "McpEnding" });
export type McpEnding = z.infer<typeof McpEnding>;

export const McpServer = z
  .object({
    id: Id,
    alias: z.string(),
    transport: z.enum(mcpTransports),
    command: z.string().nullable(),
    args: z.array(z.string()).describe("Secrets are masked; without `mcp:write` every value is."),
    /** Values are masked; `$env:NAME` and `${NAME}` references are shown as they are. */
    env: secretMap,
    cwd: z.string().nullable(),
    network: z.enum(mcpNetworks).describe("Reach of a stdio server's program in the sandbox; servers over HTTP have none of their own."),
    allowedHosts: z.array(z.string()),
    readablePaths: z.array(z.string()),
    outsideSandbox: z.boolean(),
    unconfined: z.string().nullable().describe("Why the program of a stdio server runs without the sandbox; null when it runs in it."),
    url: z.string().nullable().describe("Secrets are masked; without `mcp:write` only the origin is shown."),
    headers: secretMap,
    enabled: z.boolean(),
    tier: z.enum(toolTiers),
    tierPerTool: z.boolean().describe("Each tool may have a tier of its own; `tier` counts for the others."),
    allowedTools: z.array(z.string()).nullable().describe("Names as the server lists them; `null`: all, `[]`: none."),
    excludedTools: z.array(z.string()),
    ...serverPinSettings,
    connectTimeoutSeconds: z.number().int(),
    callTimeoutSeconds: z.number().int(),
    parallelCalls: z.boolean(),
    sessionScope: z.enum(sessionScopes).describe("Who shares a session: everybody, the calls of one conversation, or those of one user."),
    personalSignIn: z
      .boolean()
      .describe("Each person signs in at the authorization server, and a call carries the sign-in of the person who asks."),
    listedWith: z
      .string()
      .nullable()
      .describe("Name of the person whose sign-in lists the tools, while the workspace has no sign-in of its own."),
    sessionIdleSeconds: z.number().int().describe("Idle time after which a session of one conversation or user is closed."),
    status: z.enum(mcpStatuses),
    authorization: McpAuthorization.nullable().describe("Sign-in with OAuth; null for a server without one. Tokens are never shown."),
    lastError: z.string().nullable().describe("One sentence, when the last connection attempt failed."),
    lastStderr: z.string().nullable().describe("The last lines that a stdio server wrote to its error stream."),
    cures: z
      .array(McpCure)
      .describe(
        "What an admin can allow so that failures of its start and its calls go away, as their words name it; newest first, at most 8.",
      ),
    lastEnding: McpEnding.nullable().describe("Kept after the server is connected again."),
    lastConnectedAt: Timestamp.nullable(),
    serverInfo: z.object({ name: z.string(), version: z.string() }).nullable(),
    instructions: z.string().nullable().describe("The server's accepted text for models, which agents with a tool of this server read."),
    toolCount: z.number().int(),
    toolNotes: z
      .array(z.string())
      .describe("Why tools of its list are missing: the list was cut at 5,000 tools, or a tool cannot be offered."),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "McpServer" });
export type McpServer = z.infer<typeof McpServer>;

const readOnlyNames = Object.keys(McpServer.shape).filter((name) => !Object.hasOwn(mcpServerDraft, name));
const readOnlyMembers: Record<never, never> = Object.fromEntries(
  readOnlyNames.map((name) => [name, z.unknown().optional().describe("Read only: ignored.")]),
);

/** A draft that may also hold the read-only members of a server, so that a server can be sent back as it was read. */
export const McpServerReplacement = z
  .strictObject({ ...mcpServerDraft, ...readOnlyMembers })
  .superRefine(checkTransport)
  .meta({
    examples: [
      { alias: "files", transport: "stdio", command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/srv/files"] },
    ],
  });

export const McpTestResult = z
  .object({
    ok: z.boolean(),
    latencyMs: z.number(),
    tools: z.array(z.object({ name: z.string(), description: z.string() })),
    hints: HintCounts,
    notes: z.array(z.string()).describe("Why tools of its list are missing."),
    error: z.string().nullable(),
    stderr: z.string().nullable(),
    cures: z.array(McpCure).describe("What can be allowed so that the failure goes away."),
  })
  .meta({ id: "McpTestResult" });
export type McpTestResult = z.infer<typeof McpTestResult>;

export const ConfirmedEffects = z
  .object({ confirmed: z.number().int().describe("Tools whose effect is another one than before.") })
  .meta({ id: "ConfirmedEffects" });
export type ConfirmedEffects = z.infer<typeof ConfirmedEffects>;

const params = z.object({ id: Id });

export const mcpServerEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers",
    summary: "MCP servers of the workspace, by alias",
    permission: "tools:read",
    query: z.object({
      ...pageQuery,
      query: z.string().max(200).optional().describe("Words of the alias, the command or the server's own name."),
      status: z.enum(mcpStatuses).optional(),
    }),
    response: listOf(McpServer),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers",
    summary: "Add a server, which connects in the background; a stdio server needs mcp:run too",
    permission: "mcp:write",
    body: McpServerDraft,
    memberCodes: tierCodes,
    response: McpServer,
    status: 201,
  }),
  ...mcpImportEndpoints,
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
    summary: "Replace a server's settings; a masked secret sent back keeps the old value, another program needs mcp:run too",
    headers: ["If-Match"],
    permission: "mcp:write",
    params,
    body: McpServerReplacement,
    memberCodes: tierCodes,
    response: McpServer,
  }),
  patch: endpoint({
    method: "PATCH",
    path: "/api/v1/mcp/servers/{id}",
    summary: "Change the settings that are sent and leave the others; another program needs mcp:run too",
    headers: ["If-Match"],
    permission: "mcp:write",
    params,
    body: McpServerPatch,
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
    memberCodes: tierCodes,
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
    memberCodes: tierCodes,
    response: McpServer,
  }),
  confirmEffects: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers/{id}/effects",
    summary: "Set the effects of a server's tools, as a person confirms the proposed ones",
    permission: "tools:write",
    params,
    body: z
      .strictObject({
        effects: z
          .record(z.string().max(500), z.enum(toolEffects))
          .refine((effects) => Object.keys(effects).length > 0, "name at least one tool")
          .refine((effects) => Object.keys(effects).length <= maxTools, `name at most ${maxTools} tools`)
          .describe("By the tools' names."),
      })
      .meta({ examples: [{ effects: { files__read_file: "read", files__write_file: "write" } }] }),
    response: ConfirmedEffects,
  }),
  tools: endpoint({
    method: "GET",
    path: "/api/v1/mcp/servers/{id}/tools",
    summary: "The tools that the server listed last, each with its pin, and the pinned ones that are gone",
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
          pin: z.enum(pinStates),
          pinHash: z.string().nullable().describe("Hash of the accepted definition; `null` for a tool without a pin."),
          change: ToolChange.nullable().describe("The definition that the server lists instead, while the tool is off because of it."),
          proposal: z
            .object({
              effect: z.enum(toolEffects),
              because: z.string(),
              isKnown: z.boolean().describe("False when nothing of the tool tells its effect: the proposal is what counts today."),
            })
            .nullable()
            .describe(
              "The effect that its name, description, parameters and hints suggest; `null` when an admin has set one, when it is not allowed, and when a new tool waits for a decision.",
            ),
          findings: z.array(ToolFinding).describe("Signs of poisoning in the definition that is shown."),
          allowed: z.boolean(),
          enabled: z.boolean().nullable().describe("`null` for a tool that is not allowed."),
          tier: ToolTier.nullable().describe("`null` for a tool that is not allowed."),
        }),
      ),
      hints: HintCounts,
      notes: z.array(z.string()).describe("Why tools of the server's list are missing."),
    }),
  }),
};

export const mcpServerContract = defineContract({
  reference: { name: "MCP servers", description: "Servers whose tools join the workspace as `alias__tool`." },
  glossary: {
    elicitation: "A question of an MCP server to a person during a call: a form or an address to open.",
    hint: "A server's claim about its tool, such as `readOnlyHint`; it counts only when an admin trusts the server's hints.",
    "MCP server": "An upstream server whose tools Handrail offers to agents.",
    sampling: "A request of an MCP server for a model's words during a call; the workspace's models answer where an admin allows it.",
    "session scope": "Who shares a session of an MCP server: everybody, the calls of one conversation, or those of one user.",
  },
  endpoints: mcpServerEndpoints,
  toolSources: ["mcp"],
  permissions: {
    "mcp:write": "Add, change and remove MCP servers",
    "mcp:run": "With it, also MCP servers that are programs on Handrail's machine",
  },
  implies: { "mcp:write": ["tools:read"] },
  audit: {
    "mcp_server.created": "MCP server created",
    "mcp_server.updated": "MCP server updated",
    "mcp_server.removed": "MCP server removed",
    "mcp_server.tier_changed": "MCP server tier changed",
    "mcp_server.effects_confirmed": "Effects of an MCP server's tools confirmed",
    "mcp_server.tools_changed": "MCP server tools changed",
    "mcp_server.sampled": "MCP server asked a model",
    "mcp_server.question_answered": "Question of an MCP server answered",
    "mcp_server.content_read": "Prompt or resource of an MCP server read",
  },
  navigation: { label: "MCP servers", path: "/mcp-servers", icon: "IconPlugConnected", key: "m", group: "connections", after: "/hooks" },
});
