import type { McpServer, McpServerDraft } from "@/contracts/mcp-servers";

export type KeyValue = { key: string; name: string; value: string };

/** A server's settings as fields of a form: lists as lines, maps as rows. */
export type ServerFields = {
  alias: string;
  transport: McpServerDraft["transport"];
  command: string;
  /** One argument a line. */
  args: string;
  env: KeyValue[];
  cwd: string;
  url: string;
  headers: KeyValue[];
  enabled: boolean;
  tier: McpServerDraft["tier"];
  /** One upstream name a line; empty allows all. */
  allowedTools: string;
  connectTimeoutSeconds: number;
  callTimeoutSeconds: number;
};

export const emptyFields: ServerFields = {
  alias: "",
  transport: "stdio",
  command: "",
  args: "",
  env: [],
  cwd: "",
  url: "",
  headers: [],
  enabled: true,
  tier: "extension",
  allowedTools: "",
  connectTimeoutSeconds: 90,
  callTimeoutSeconds: 60,
};

let rowsMade = 0;
/** A row of a map, with a key of its own so that it keeps its place while its name is typed. */
export function keyValue(name = "", value = ""): KeyValue {
  rowsMade += 1;
  return { key: `row-${rowsMade}`, name, value };
}

export function fieldsOf(server: McpServer): ServerFields {
  return {
    ...server,
    command: server.command ?? "",
    args: server.args.join("\n"),
    env: Object.entries(server.env).map(([name, value]) => keyValue(name, value)),
    cwd: server.cwd ?? "",
    url: server.url ?? "",
    headers: Object.entries(server.headers).map(([name, value]) => keyValue(name, value)),
    allowedTools: server.allowedTools?.join("\n") ?? "",
  };
}

/** What is sent. Settings of the transport that was not chosen are left out. */
export function draftOf(fields: ServerFields): McpServerDraft {
  const isStdio = fields.transport === "stdio";
  const allowed = lines(fields.allowedTools);
  return {
    alias: fields.alias.trim(),
    transport: fields.transport,
    command: isStdio ? fields.command.trim() || null : null,
    args: isStdio
      ? fields.args
          .split("\n")
          .map((line) => line.replace(/\r$/, ""))
          .filter((line) => line !== "")
      : [],
    env: isStdio ? mapOf(fields.env) : {},
    cwd: isStdio ? fields.cwd.trim() || null : null,
    url: isStdio ? null : fields.url.trim() || null,
    headers: isStdio ? {} : mapOf(fields.headers),
    enabled: fields.enabled,
    tier: fields.tier,
    allowedTools: allowed.length > 0 ? allowed : null,
    connectTimeoutSeconds: fields.connectTimeoutSeconds,
    callTimeoutSeconds: fields.callTimeoutSeconds,
  };
}

/** The settings that a server has now, for a change of one of them. Secrets are masked in it, which keeps them. */
export function draftOfServer(server: McpServer): McpServerDraft {
  return draftOf(fieldsOf(server));
}

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Rows without a name and a value are rows that nobody filled in. */
function mapOf(rows: readonly KeyValue[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter(({ name, value }) => name.trim() !== "" || value !== "").map(({ name, value }) => [name.trim(), value]),
  );
}
