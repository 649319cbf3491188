import type { JsonObject } from "@/contracts/common";
import type { McpConfigFormat } from "@/contracts/mcp/mcp-imports";
import { maskArguments, maskUrl } from "../settings/mask-settings";
import { isOnlyReference, referencesIn } from "../settings/secret-values";
import type { ExportedServer } from "./exported-server";
import { writeRegistryList } from "./write-registry-list";

/** Writes a reference to a secret in the form that the program resolves. */
type Reference = (name: string) => string;

const plain: Reference = (name) => `\${${name}}`;

/**
 * Writes servers as the configuration of another program. No secret is written: each value of the environment and of the
 * headers, and each argument that looks like a secret, becomes a reference such as `${GITHUB_TOKEN}`.
 */
export function writeConfig(format: McpConfigFormat, servers: readonly ExportedServer[]): JsonObject {
  if (format === "registry") return writeRegistryList(servers);
  const inputs: JsonObject[] = [];
  const reference: Reference =
    format === "vscode"
      ? (name) => {
          if (!inputs.some(({ id }) => id === name)) inputs.push({ type: "promptString", id: name, description: name, password: true });
          return `\${input:${name}}`;
        }
      : format === "cursor"
        ? (name) => `\${env:${name}}`
        : plain;
  const entries = Object.fromEntries(servers.map((server) => [server.alias, entryOf(format, server, reference)]));
  if (format === "vscode") return { ...(inputs.length > 0 ? { inputs } : {}), servers: entries };
  return format === "zed" ? { context_servers: entries } : { mcpServers: entries };
}

function entryOf(format: McpConfigFormat, server: ExportedServer, reference: Reference): JsonObject {
  const { transport, command, cwd, enabled, allowedTools, callTimeoutSeconds } = server;
  const values = (given: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, secretless(server.alias, name, value, reference)]));
  const env = values(server.env);
  const headers = values(server.headers);
  const switchedOff: JsonObject = enabled ? {} : format === "zed" ? { enabled: false } : { disabled: true };
  const more: JsonObject = {
    ...switchedOff,
    ...(format === "gemini" && allowedTools ? { includeTools: [...allowedTools] } : {}),
    ...(format === "gemini" ? { timeout: callTimeoutSeconds * 1_000 } : {}),
  };
  if (transport === "stdio") {
    return {
      ...(format === "claude-code" || format === "vscode" ? { type: "stdio" } : {}),
      command: command ?? "",
      args: argumentsOf(server, reference),
      ...(Object.keys(env).length > 0 ? { env } : {}),
      ...(cwd ? { cwd } : {}),
      ...more,
    };
  }
  const url = addressOf(server, reference);
  const type = transport === "sse" ? "sse" : "http";
  const address: JsonObject =
    format === "gemini" && type === "http"
      ? { httpUrl: url }
      : format === "windsurf"
        ? { serverUrl: url }
        : { ...(format === "claude-code" || format === "vscode" ? { type } : {}), url };
  return { ...address, ...(Object.keys(headers).length > 0 ? { headers } : {}), ...more };
}

/** Replaces a value by a reference: its own, where it has one, else one named after the server and the value. */
function secretless(alias: string, name: string, value: string, reference: Reference): string {
  if (value === "") return value;
  const [own] = referencesIn(value);
  const scheme = /^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? "";
  return `${scheme}${reference(own && isOnlyReference(value) ? own : variableOf(alias, name))}`;
}

function argumentsOf({ alias, args }: ExportedServer, reference: Reference): string[] {
  const masked = maskArguments(args);
  return args.map((arg, index) => {
    if (isOnlyReference(arg)) return reference(referencesIn(arg)[0] ?? "");
    if (masked[index] === arg) return arg;
    const [, option = ""] = /^(-{1,2}[A-Za-z][\w-]*=)/.exec(arg) ?? [];
    return `${option}${reference(variableOf(alias, option.replace(/^-+|=$/g, "") || `arg_${index + 1}`))}`;
  });
}

/** Writes an address: each value of its query becomes a reference, and a secret elsewhere makes the whole address one. */
function addressOf({ alias, url }: ExportedServer, reference: Reference): string {
  // Any value of a query may be a key, and not every key looks like one.
  const hidden = (url ?? "").replace(/([?&])([^=&#]+)=([^&#]+)/g, (_whole, before: string, name: string, value: string) => {
    const [own] = referencesIn(value);
    return `${before}${name}=${reference(own ?? variableOf(alias, name))}`;
  });
  const fixed = hidden.replace(/\$\{[^{}]*\}/g, "x");
  return maskUrl(fixed) === fixed ? hidden : reference(variableOf(alias, "url"));
}

const variableOf = (alias: string, name: string): string => {
  const words = `${alias}_${name}`
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[A-Z_]/.test(words) ? words : `MCP_${words}`;
};
