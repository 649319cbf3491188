import { isJsonObject } from "@/contracts/lib/is-json-object";
import { type ForeignServer, unreadable } from "./foreign-server";
import { parseJsonWithComments } from "./parse-json-with-comments";
import { isCommandLine, readCommandLines } from "./read-command-lines";
import { isRegistryServer, readRegistryServer, registryListIn } from "./read-registry-server";
import { readServer } from "./read-server";

/** Paths under which other programs keep their servers. */
const places = [["mcpServers"], ["mcp", "servers"], ["mcp", "mcpServers"], ["servers"], ["context_servers"], ["amp.mcpServers"]];
const maxServers = 200;

/**
 * Reads the servers of another program's configuration: Claude Desktop, Claude Code, VS Code, Cursor, Gemini CLI, Zed,
 * Windsurf, a `server.json` or a list of the registry, or command lines such as `claude mcp add`.
 * @throws AppError `invalid` with a sentence for the person who pasted the configuration
 */
export function readConfig(text: string): ForeignServer[] {
  const servers = isCommandLine(text) ? readCommandLines(text) : readJson(text);
  if (servers.length > maxServers) throw unreadable(`It has ${servers.length} servers. Import at most ${maxServers} at a time.`);
  return servers;
}

function readJson(text: string): ForeignServer[] {
  const json = parsed(text);
  if (isRegistryServer(json)) return [readRegistryServer(json)];
  const registryList = registryListIn(json);
  if (registryList) return registryList.map(readRegistryServer);
  const byName = serversIn(json);
  if (!byName) throw unreadable(notFound(json));
  return Object.entries(byName).map(([name, server]) => readServer(name, server));
}

function parsed(text: string): unknown {
  try {
    return parseJsonWithComments(text);
  } catch {
    throw unreadable("This is not JSON. Paste the whole object, with its braces.");
  }
}

function serversIn(json: unknown): Record<string, unknown> | null {
  if (!isJsonObject(json)) return null;
  if (looksLikeServer(json)) return { [typeof json.name === "string" ? json.name : ""]: json };
  for (const place of places) {
    const found = place.reduce<unknown>((value, member) => (isJsonObject(value) ? value[member] : undefined), json);
    if (isJsonObject(found) && Object.keys(found).length > 0) return found;
  }
  const all = Object.values(json);
  return all.length > 0 && all.every(looksLikeServer) ? json : null;
}

function notFound(json: unknown): string {
  const members = isJsonObject(json) ? Object.keys(json).slice(0, 5) : [];
  const seen = members.length > 0 ? ` It has ${members.map((name) => `"${name}"`).join(", ")}.` : "";
  return `No server was found in it.${seen} It looks like { "mcpServers": { "name": { "command": "npx", "args": [] } } }.`;
}

function looksLikeServer(value: unknown): boolean {
  return isJsonObject(value) && ["command", "url", "serverUrl", "httpUrl"].some((member) => typeof value[member] === "string");
}
