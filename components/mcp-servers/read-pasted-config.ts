import { z } from "zod";
import { joinArgumentLines } from "./argument-lines";
import { parseJsonWithComments } from "./parse-json-with-comments";
import { emptyFields, keyValue, type ServerFields } from "./server-draft";

/** A server of another program's configuration. */
export type PastedServer = {
  /** Name of the server in the other program. */
  name: string;
  fields: ServerFields;
  /** Sentences about omitted or changed settings. */
  notes: string[];
  /** A value is missing that only a person can supply. */
  needsValue: boolean;
};

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const values = z.record(z.string(), scalar);
const known = {
  type: z.string().optional(),
  transport: z.string().optional(),
  /** Earlier versions of Zed kept the program and its arguments in an object. */
  command: z.union([z.string(), z.object({ path: z.string(), args: z.array(scalar).optional(), env: values.nullish() })]).optional(),
  args: z.array(scalar).optional(),
  env: values.nullish(),
  cwd: z.string().nullish(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  /** Address in configurations of Gemini CLI. */
  httpUrl: z.string().optional(),
  headers: values.nullish(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  /** Milliseconds. */
  timeout: z.number().optional(),
  includeTools: z.array(z.string()).optional(),
};
const Pasted = z.object(known).loose();
type Pasted = z.infer<typeof Pasted>;
/** Members without a meaning here, dropped without a note. */
const meaningless = new Set(["name", "description", "source", "gallery", "version", "$schema"]);

/** Paths under which other programs keep their servers. */
const places = [["mcpServers"], ["mcp", "servers"], ["mcp", "mcpServers"], ["servers"], ["context_servers"], ["amp.mcpServers"]];

/**
 * Reads the servers of another program's configuration (Claude Desktop, VS Code, Cursor, Gemini CLI, Zed) into form
 * fields, with notes about settings that were not taken over.
 * @throws Error with a sentence for the person who pasted the configuration
 */
export function readPastedConfig(text: string): PastedServer[] {
  const json = parsed(text);
  const byName = serversIn(json);
  if (!byName) throw new Error(notFound(json));
  return Object.entries(byName).map(([name, server]) => readServer(name, server));
}

function parsed(text: string): unknown {
  try {
    return parseJsonWithComments(text);
  } catch {
    throw new Error("This is not JSON. Paste the whole object, with its braces.");
  }
}

function serversIn(json: unknown): Record<string, unknown> | null {
  if (!isObject(json)) return null;
  if (looksLikeServer(json)) return { [typeof json.name === "string" ? json.name : ""]: json };
  for (const place of places) {
    const found = place.reduce<unknown>((value, member) => (isObject(value) ? value[member] : undefined), json);
    if (isObject(found) && Object.keys(found).length > 0) return found;
  }
  const all = Object.values(json);
  return all.length > 0 && all.every(looksLikeServer) ? json : null;
}

function notFound(json: unknown): string {
  const members = isObject(json) ? Object.keys(json).slice(0, 5) : [];
  const seen = members.length > 0 ? ` It has ${members.map((name) => `"${name}"`).join(", ")}.` : "";
  return `No server was found in it.${seen} It looks like { "mcpServers": { "name": { "command": "npx", "args": [] } } }.`;
}

function readServer(name: string, json: unknown): PastedServer {
  const { data: server, error } = Pasted.safeParse(json);
  const address = server?.httpUrl ?? server?.url ?? server?.serverUrl;
  if (!server || (!server.command && !address)) {
    const place = error?.issues[0]?.path.join(".");
    const note = place ? `"${place}" was not understood.` : "It has neither a command nor a URL.";
    return { name, fields: { ...emptyFields, alias: aliasFrom(name) }, notes: [note], needsValue: true };
  }
  const notes: string[] = [];
  const missing: string[] = [];
  const take = (field: string, value: string) => withOurReferences(value, field, notes, missing);
  const program = typeof server.command === "object" ? server.command : { path: server.command ?? "", args: server.args, env: server.env };
  const rows = (place: string, map: Record<string, string> | null | undefined) =>
    Object.entries(map ?? {}).map(([key, value]) => keyValue(key, take(`${place}.${key}`, value)));
  const fields: ServerFields = {
    ...emptyFields,
    alias: aliasFrom(name),
    transport: transportOf(server, address),
    command: take("command", program.path),
    args: joinArgumentLines((program.args ?? []).map((arg) => take("args", arg))),
    env: rows("env", program.env),
    cwd: take("cwd", server.cwd ?? ""),
    url: take("url", address ?? ""),
    headers: rows("headers", server.headers),
    enabled: server.disabled !== true && server.enabled !== false,
    ...(server.includeTools ? { allowsAllTools: false, allowedTools: server.includeTools.join("\n") } : {}),
    ...(server.timeout ? { callTimeoutSeconds: secondsOf(server.timeout) } : {}),
  };
  const left = Object.keys(server).filter((member) => !Object.hasOwn(known, member) && !meaningless.has(member));
  if (left.length > 0) notes.push(`Not taken over: ${left.join(", ")}.`);
  return { name, fields, notes, needsValue: missing.length > 0 };
}

/** Rewrites references of other programs into our form; drops references that only the other program can resolve. */
function withOurReferences(value: string, field: string, notes: string[], missing: string[]): string {
  const reference = /\$\{(?:(\w+):-([^}]*)|(\w+):([^}]*)|(workspaceFolder\w*|userHome|pathSeparator|\/))\}/g;
  return value.replace(reference, (_found, plain, otherwise, kind, name, own) => {
    if (kind === "env") return `\${${String(name).split(":")[0]}}`;
    if (plain !== undefined) {
      notes.push(`The default "${otherwise}" of ${plain} in ${field} is left out: set the variable where Handrail runs.`);
      return `\${${plain}}`;
    }
    missing.push(field);
    notes.push(`Type the value of ${field}: ${own ?? `${kind}:${name}`} is known to the other program only.`);
    return "";
  });
}

function transportOf({ type, transport }: Pasted, address: string | undefined): ServerFields["transport"] {
  if (address === undefined) return "stdio";
  const kind = (type ?? transport ?? "").toLowerCase();
  return kind === "sse" || (kind === "" && /\/sse\/?(?:\?|$)/.test(address)) ? "sse" : "streamable_http";
}

/** Converts a timeout to seconds: most programs use milliseconds, so only a small number is already in seconds. */
function secondsOf(timeout: number): number {
  return Math.min(300, Math.max(1, Math.round(timeout >= 1_000 ? timeout / 1_000 : timeout)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function looksLikeServer(value: unknown): boolean {
  return isObject(value) && ["command", "url", "serverUrl", "httpUrl"].some((member) => typeof value[member] === "string");
}

/** Returns the nearest valid alias: `My Server!` becomes `my-server`. */
function aliasFrom(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/_{2,}/g, "_")
    .slice(0, 32)
    .replace(/^[-_]+|[-_]+$/g, "");
}
