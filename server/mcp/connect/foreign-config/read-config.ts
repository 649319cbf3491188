import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { isAppError, toErrorMessage } from "@/server/platform/errors";
import { askForPlaceholders } from "./ask-for-placeholders";
import { type ForeignServer, unreadable } from "./foreign-server";
import { parseJsonWithComments } from "./parse-json-with-comments";
import { isCommandLine, readCommandLines } from "./read-command-lines";
import { readDialect } from "./read-dialects";
import { installLinksIn, isInstallLink, readInstallLink } from "./read-install-link";
import { isProgramLine, readProgramLine } from "./read-program-line";
import { isRegistryServer, readRegistryServer, registryListIn } from "./read-registry-server";
import { readServer } from "./read-server";

/** Paths under which other programs keep their servers. */
const places = [["mcpServers"], ["mcp", "servers"], ["mcp", "mcpServers"], ["servers"], ["context_servers"], ["amp.mcpServers"]];
const maxServers = 200;

/**
 * Reads the servers of another program's configuration: Claude Desktop, Claude Code, VS Code, Cursor, Gemini CLI, Zed,
 * Windsurf, opencode, Codex (TOML), Goose and Continue (YAML), an MCPB manifest, a `server.json` or a list of the registry,
 * command lines such as `claude mcp add`, an install link, a server's command or its address.
 * @throws AppError `invalid` with a sentence for the person who pasted the configuration
 */
export function readConfig(text: string): ForeignServer[] {
  const servers = readAny(text);
  if (servers.length > maxServers) throw unreadable(`It has ${servers.length} servers. Import at most ${maxServers} at a time.`);
  return withOwnAliases(servers.map(askForPlaceholders));
}

/** Numbers the aliases of names that differ only in signs which an alias cannot have, and names that come again. */
function withOwnAliases(servers: readonly ForeignServer[]): ForeignServer[] {
  const taken = new Map<string, string>();
  const all = new Set(servers.map(({ settings }) => settings.alias));
  const names = new Set<string>();
  return servers.map((given) => {
    const { alias } = given.settings;
    const server = { ...given, name: ownName(given.name, names) };
    names.add(server.name);
    const other = taken.get(alias);
    if (alias === "" || other === undefined) {
      taken.set(alias, given.name);
      return server;
    }
    let own = alias;
    for (let number = 2; all.has(own); number += 1) own = `${alias.slice(0, 32 - `-${number}`.length)}-${number}`;
    all.add(own);
    const note = `Its alias is ${own}, because "${other}" gives the alias ${alias} too.`;
    return { ...server, settings: { ...server.settings, alias: own }, notes: [...server.notes, note] };
  });
}

/** Numbers a name that another server of the text has, because choices and values are sent by the name. */
function ownName(name: string, names: ReadonlySet<string>): string {
  let own = name;
  for (let number = 2; names.has(own); number += 1) own = `${name} (${number})`.trim();
  return own;
}

/** Blocks of code in Markdown, as a README has them around a configuration. */
const fences = /^[ \t]*(`{3,}|~{3,})[^\n`]*\r?\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** Reads the first block that holds servers, and else the buttons; a README shows the same server for several programs. */
function readAny(text: string): ForeignServer[] {
  const blocks = [...text.matchAll(fences)].map(([, , block = ""]) => block.trim());
  const [first = text, ...others] = blocks;
  for (const part of [first, ...others]) {
    const servers = readIfServers(part);
    if (servers) return servers;
  }
  const linked = installLinksIn(text).flatMap((link) => readIfServers(link) ?? []);
  return linked.length > 0 ? withoutRepetitions(linked) : readText(first);
}

function readIfServers(text: string): ForeignServer[] | null {
  try {
    return readText(text);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** Keeps the first button of each server: the buttons of other programs give the same name, or start the same. */
function withoutRepetitions(servers: readonly ForeignServer[]): ForeignServer[] {
  const known = new Set<string>();
  return servers.filter(({ settings: { alias, command, args, url } }) => {
    const marks = [`name ${alias}`, `start ${JSON.stringify([command, args, url])}`];
    if (marks.some((mark) => known.has(mark))) return false;
    for (const mark of marks) known.add(mark);
    return true;
  });
}

function readText(text: string): ForeignServer[] {
  if (isCommandLine(text)) return readCommandLines(text);
  if (isInstallLink(text)) return [readInstallLink(text)];
  if (isProgramLine(text)) return [readProgramLine(text)];
  return readMembers(parsed(text));
}

function readMembers(config: unknown): ForeignServer[] {
  if (isRegistryServer(config)) return [readRegistryServer(config)];
  const registryList = registryListIn(config);
  if (registryList) return registryList.map(readRegistryServer);
  const dialect = readDialect(config);
  if (dialect) return dialect.map(({ name, server }) => readServer(name, server));
  const byName = serversIn(config);
  if (!byName) throw unreadable(notFound(config));
  return Object.entries(byName).map(([name, server]) => readServer(name, server));
}

/** Parses JSON, members of an object without its braces, TOML or YAML. */
function parsed(text: string): unknown {
  if (/^\s*\[+\s*["']?\w+["']?\s*(?:\.|\])/m.test(text) && !/^\s*[[{]\s*[{"]/.test(text)) return parsedToml(text);
  const plain = withPlainSigns(text);
  for (const candidate of [text, `{${text.replace(/,\s*$/, "")}}`, plain, `{${plain.replace(/,\s*$/, "")}}`]) {
    try {
      return parseJsonWithComments(candidate);
    } catch {
      // Tried in its next form.
    }
  }
  if (/^\s*[[{"]/.test(text)) throw unreadable("This is not JSON. Paste the whole object, with its braces.");
  const yaml = parsedYaml(text);
  if (isJsonObject(yaml)) return yaml;
  throw unreadable("This is neither JSON, TOML, YAML, a command nor a link. Paste the whole configuration, with its braces.");
}

/** A page or a chat makes quotes typographic and spaces unbreakable. */
const withPlainSigns = (text: string): string => text.replace(/[“”„]/g, '"').replace(/[\u00a0\u2007\u202f]/g, " ");

function parsedToml(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    throw unreadable(`This is not TOML: ${toErrorMessage(error).split("\n")[0]}`);
  }
}

function parsedYaml(text: string): unknown {
  try {
    return parseYaml(text, { maxAliasCount: 100 });
  } catch {
    return null;
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
