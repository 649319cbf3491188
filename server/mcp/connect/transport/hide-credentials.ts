import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { maskText, secretUnder } from "@/server/secrets/mask-secrets";
import type { SecretValues } from "../settings/secret-values";

/** Shortest credential that is looked for: a shorter one may be a word that the server needs in its answers. */
const minCharacters = 8;
/** Deeper content is left out of results anyway. */
const maxDepth = 120;

/** Lists the values that are credentials by their names, such as API_TOKEN or Authorization; NODE_ENV or a folder is none. */
export function credentialsIn(values: SecretValues): string[] {
  return Object.entries(values).flatMap(([name, value]) => secretUnder(name, value) ?? []);
}

/** Returns a message of a server with the credentials masked that Handrail gave the server, wherever the server repeats them. */
export function hideCredentials(message: JSONRPCMessage, credentials: readonly string[]): JSONRPCMessage {
  const known = credentials.filter(({ length }) => length >= minCharacters).sort((a, b) => b.length - a.length);
  if (known.length === 0) return message;
  const hide = (text: string) => known.reduce((shown, credential) => shown.replaceAll(credential, maskText(credential)), text);
  // The id and the method are the protocol's own.
  const parts = ["result", "error", "params"] as const;
  const changed = Object.entries(message).map(([name, value]) => [
    name,
    parts.some((part) => part === name) ? mapTexts(value, hide) : value,
  ]);
  return Object.fromEntries(changed) as JSONRPCMessage;
}

function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || depth >= maxDepth) return value;
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, change, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change, depth + 1)]));
}
