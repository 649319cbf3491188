import { z } from "zod";
import { digestFault } from "../lib/package-runners";
import { ToolTier } from "../tools/tools";
import { serverPinDefaults, serverPinSettings } from "./server-pins";
import { sessionScopes } from "./session-scope";

export const mcpTransports = ["stdio", "sse", "streamable_http"] as const;
/** Network reach of a stdio server's program: nothing, the listed hosts, or every public host. */
export const mcpNetworks = ["none", "hosts", "open"] as const;
/** Limit of tools that are read from one server's list. */
export const maxTools = 5_000;

/** Prefix of the server's tool names: `alias__tool`. */
export const McpAlias = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, "an alias has 1 to 32 lower-case letters, digits, _ or -, and starts with a letter or digit")
  .refine((alias) => !alias.includes("__"), "an alias cannot contain two underscores in a row");

export const secretMap = z.record(z.string().min(1).max(200), z.string().max(8_000));

/** No request is sent to an address with credentials, so that it is refused where it is written. */
function hasNoCredentials(address: string): boolean {
  const url = URL.parse(address);
  return url === null || (url.username === "" && url.password === "");
}

/** The settings of an MCP server, as an admin writes them. */
export const mcpServerSettings = {
  alias: McpAlias,
  transport: z.enum(mcpTransports),
  command: z.string().trim().min(1).max(1_000).nullable(),
  args: z
    .array(z.string().max(4_000))
    .max(100)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a reference is written
    .describe("`${NAME}` and `$env:NAME` take a value from Handrail's environment; `$${NAME}` is passed on as `${NAME}`."),
  env: secretMap,
  cwd: z.string().max(1_000).nullable(),
  network: z.enum(mcpNetworks),
  allowedHosts: z
    .array(z.string().trim().min(1).max(300))
    .max(100)
    .describe(
      "`example.com`, `*.example.com` or `example.com:8443`. Exactly named with its port, a private address and `localhost` are reached too, by any protocol over TCP.",
    ),
  readablePaths: z
    .array(
      z
        .string()
        .trim()
        .min(2)
        .max(1_000)
        .regex(/^(?:\/|~\/)/, "a path begins with / or ~/"),
    )
    .max(50)
    .describe("Files and folders of the machine that a stdio server's program may read in the sandbox, beside its own package."),
  outsideSandbox: z
    .boolean()
    .describe("The program of a stdio server runs as Handrail's user, without the sandbox. Only an owner of the workspace may change it."),
  url: z
    .url({ protocol: /^https?$/ })
    .refine(hasNoCredentials, "must hold no user name or password: send them in the header Authorization")
    .max(2_000)
    .nullable(),
  headers: secretMap,
  enabled: z.boolean(),
  tier: ToolTier,
  tierPerTool: z.boolean(),
  allowedTools: z.array(z.string().max(500)).max(maxTools).nullable().describe("Names as the server lists them; `null`: all, `[]`: none."),
  excludedTools: z.array(z.string().max(500)).max(maxTools).describe("Names as the server lists them, which are left out in any case."),
  ...serverPinSettings,
  connectTimeoutSeconds: z.number().int().min(1).max(300),
  callTimeoutSeconds: z.number().int().min(1).max(300),
  parallelCalls: z
    .boolean()
    .describe(
      "Calls of one conversation run side by side; without it one after another. Absent: as it is; for a new server only when its session is shared.",
    ),
  sessionScope: z
    .enum(sessionScopes)
    .describe("Absent: as it is; for a new server `per_conversation` when it looks stateful, else `shared`."),
  personalSignIn: z
    .boolean()
    .describe(
      "Each person signs in to a server over HTTP for themselves. Calls without a person carry the workspace's sign-in, if there is one.",
    ),
  sessionIdleSeconds: z.number().int().min(10).max(86_400),
};

/** The settings of a new server, with their defaults. */
export const mcpServerDraft = {
  ...mcpServerSettings,
  command: mcpServerSettings.command.optional(),
  args: mcpServerSettings.args.default([]),
  env: mcpServerSettings.env.default({}),
  cwd: mcpServerSettings.cwd.optional(),
  network: mcpServerSettings.network.default("open"),
  allowedHosts: mcpServerSettings.allowedHosts.default([]),
  readablePaths: mcpServerSettings.readablePaths.default([]),
  outsideSandbox: mcpServerSettings.outsideSandbox.default(false),
  url: mcpServerSettings.url.optional(),
  headers: mcpServerSettings.headers.default({}),
  enabled: mcpServerSettings.enabled.default(true),
  tier: mcpServerSettings.tier.default("extension"),
  tierPerTool: mcpServerSettings.tierPerTool.default(false),
  allowedTools: mcpServerSettings.allowedTools.default(null),
  excludedTools: mcpServerSettings.excludedTools.default([]),
  ...serverPinDefaults,
  connectTimeoutSeconds: mcpServerSettings.connectTimeoutSeconds.default(90),
  callTimeoutSeconds: mcpServerSettings.callTimeoutSeconds.default(60),
  parallelCalls: mcpServerSettings.parallelCalls.optional(),
  sessionScope: mcpServerSettings.sessionScope.optional(),
  personalSignIn: mcpServerSettings.personalSignIn.default(false),
  sessionIdleSeconds: mcpServerSettings.sessionIdleSeconds.default(600),
};

type Checked = Pick<z.infer<z.ZodObject<typeof mcpServerSettings>>, "transport" | "args" | "network" | "allowedHosts" | "packageDigest"> & {
  command?: string | null | undefined;
  url?: string | null | undefined;
};

/** Checks that a server has what its transport needs. */
export function checkTransport(server: Checked, context: z.RefinementCtx): void {
  const fault = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (server.transport === "stdio" && !server.command) fault("command", "a stdio server needs the command that starts it");
  if (server.transport === "stdio" && server.network === "hosts" && server.allowedHosts.length === 0)
    fault("allowedHosts", "name at least one host, or choose no network");
  const unpinned = server.transport === "stdio" && server.packageDigest !== null ? digestFault(server.command, server.args) : null;
  if (unpinned) fault("packageDigest", unpinned);
  if (server.transport !== "stdio" && !server.url) fault("url", "a server over HTTP needs its URL");
}

export const McpServerDraft = z
  .strictObject(mcpServerDraft)
  .superRefine(checkTransport)
  .meta({
    examples: [
      { alias: "files", transport: "stdio", command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/srv/files"] },
    ],
  });
export type McpServerDraft = z.infer<typeof McpServerDraft>;

/** A partial change: absent members stay as they are, and masked secrets keep the stored values. */
export const McpServerPatch = z
  .strictObject(mcpServerSettings)
  .partial()
  .meta({ examples: [{ enabled: false }] });
export type McpServerPatch = z.infer<typeof McpServerPatch>;
