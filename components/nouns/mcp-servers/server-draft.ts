import type { McpServerImported } from "@/contracts/mcp/mcp-imports";
import type { McpServer, McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { type SessionScope, suggestSessionScope } from "@/contracts/mcp/session-scope";
import { joinArgumentLines, splitArgumentLines } from "./argument-lines";
import { emptyPinFields, type PinFields, toPinDraft, toPinFields } from "./pin-draft";

export type KeyValue = { key: string; name: string; value: string };

/** Settings of a server as form values: lists as lines, maps as rows. */
export type ServerFields = PinFields & {
  alias: string;
  transport: McpServerDraft["transport"];
  command: string;
  /** One argument per line, in the format of `argument-lines.ts`. */
  args: string;
  env: KeyValue[];
  cwd: string;
  network: McpServerDraft["network"];
  /** One host per line. */
  allowedHosts: string;
  /** One path per line. */
  readablePaths: string;
  outsideSandbox: boolean;
  url: string;
  headers: KeyValue[];
  enabled: boolean;
  tier: McpServerDraft["tier"];
  tierPerTool: boolean;
  allowsAllTools: boolean;
  /** One upstream name per line, when only some tools are allowed. */
  allowedTools: string;
  /** One upstream name per line. */
  excludedTools: string;
  connectTimeoutSeconds: number;
  callTimeoutSeconds: number;
  /** `suggested` until the person chooses a scope. */
  sessionScope: SessionScope | "suggested";
  /** Null until the person chooses: only the calls of a shared session run side by side. */
  parallelCalls: boolean | null;
  sessionIdleSeconds: number;
  personalSignIn: boolean;
};

export const emptyFields: ServerFields = {
  alias: "",
  transport: "stdio",
  command: "",
  args: "",
  env: [],
  cwd: "",
  network: "open",
  allowedHosts: "",
  readablePaths: "",
  outsideSandbox: false,
  url: "",
  headers: [],
  enabled: true,
  tier: "extension",
  tierPerTool: false,
  allowsAllTools: true,
  allowedTools: "",
  excludedTools: "",
  ...emptyPinFields,
  connectTimeoutSeconds: 90,
  callTimeoutSeconds: 60,
  sessionScope: "suggested",
  parallelCalls: null,
  sessionIdleSeconds: 600,
  personalSignIn: false,
};

let rowsMade = 0;
/** Returns a row of a map. The row has its own key, because its name changes while the person types. */
export function keyValue(name = "", value = ""): KeyValue {
  rowsMade += 1;
  return { key: `row-${rowsMade}`, name, value };
}

type ImportedSettings = McpServerImported["servers"][number]["settings"];

/** Returns the form values of a server that was read from another program's configuration. */
export const fieldsOfSettings = (settings: ImportedSettings): ServerFields => toServerFields(settings);

/** Another program's configuration knows neither sessions nor pins. */
const isStored = (server: McpServer | ImportedSettings): server is McpServer => "id" in server;

export function toServerFields(server: McpServer | ImportedSettings): ServerFields {
  const { alias, transport, network, enabled, tier, tierPerTool, connectTimeoutSeconds, callTimeoutSeconds } = server;
  return {
    alias,
    transport,
    network,
    enabled,
    tier,
    tierPerTool,
    connectTimeoutSeconds,
    callTimeoutSeconds,
    ...(isStored(server)
      ? {
          sessionScope: server.sessionScope,
          parallelCalls: server.parallelCalls,
          sessionIdleSeconds: server.sessionIdleSeconds,
          personalSignIn: server.personalSignIn,
          ...toPinFields(server),
        }
      : { sessionScope: "suggested" as const, parallelCalls: null, sessionIdleSeconds: 600, personalSignIn: false, ...emptyPinFields }),
    command: server.command ?? "",
    args: joinArgumentLines(server.args),
    env: Object.entries(server.env).map(([name, value]) => keyValue(name, value)),
    cwd: server.cwd ?? "",
    allowedHosts: server.allowedHosts.join("\n"),
    readablePaths: server.readablePaths.join("\n"),
    outsideSandbox: server.outsideSandbox,
    url: server.url ?? "",
    headers: Object.entries(server.headers).map(([name, value]) => keyValue(name, value)),
    allowsAllTools: server.allowedTools === null,
    allowedTools: server.allowedTools?.join("\n") ?? "",
    excludedTools: server.excludedTools.join("\n"),
  };
}

/** Returns the draft to send, without the settings of the other transport. */
export function toServerDraft(fields: ServerFields): McpServerDraft {
  const isStdio = fields.transport === "stdio";
  return {
    alias: fields.alias.trim(),
    transport: fields.transport,
    command: isStdio ? fields.command.trim() || null : null,
    args: isStdio ? splitArgumentLines(fields.args) : [],
    env: isStdio ? mapOf(fields.env) : {},
    cwd: isStdio ? fields.cwd.trim() || null : null,
    network: isStdio ? fields.network : "open",
    allowedHosts: isStdio ? lines(fields.allowedHosts) : [],
    readablePaths: isStdio ? lines(fields.readablePaths) : [],
    outsideSandbox: isStdio && fields.outsideSandbox,
    url: isStdio ? null : fields.url.trim() || null,
    headers: isStdio ? {} : mapOf(fields.headers),
    enabled: fields.enabled,
    tier: fields.tier,
    tierPerTool: fields.tierPerTool,
    allowedTools: fields.allowsAllTools ? null : lines(fields.allowedTools),
    excludedTools: lines(fields.excludedTools),
    ...toPinDraft(fields, isStdio),
    connectTimeoutSeconds: fields.connectTimeoutSeconds,
    callTimeoutSeconds: fields.callTimeoutSeconds,
    sessionScope: chosenScope(fields),
    parallelCalls: runsInParallel(fields),
    sessionIdleSeconds: fields.sessionIdleSeconds,
    personalSignIn: !isStdio && fields.personalSignIn,
  };
}

/** Returns the session scope: the person's choice, else the suggestion for this server. */
export function chosenScope({ sessionScope, alias, transport, command, args }: ServerFields): SessionScope {
  return sessionScope === "suggested" ? suggestSessionScope({ alias, transport, command, args: splitArgumentLines(args) }) : sessionScope;
}

/** Returns whether calls of one conversation run side by side: the person's choice, else as suits the session. */
export const runsInParallel = (fields: ServerFields): boolean => fields.parallelCalls ?? chosenScope(fields) === "shared";

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the rows as a map, without empty rows. */
function mapOf(rows: readonly KeyValue[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter(({ name, value }) => name.trim() !== "" || value !== "").map(({ name, value }) => [name.trim(), value]),
  );
}
