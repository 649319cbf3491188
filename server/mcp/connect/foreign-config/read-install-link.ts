import { isJsonObject } from "@/contracts/lib/is-json-object";
import { type ForeignServer, unreadable } from "./foreign-server";
import { readServer } from "./read-server";

const link =
  /^(?:(?:cursor|vscode|vscode-insiders|goose|lmstudio):\S+|https?:\/\/(?:www\.)?(?:cursor\.com|lmstudio\.ai|[\w.-]*vscode\.dev|block\.github\.io)\/\S*mcp\S*)$/i;
/** Addresses in Markdown, around a badge or not, and in HTML. */
const places = /\]\(\s*<?([^\s()<>]+)>?\s*\)|\bhref\s*=\s*["']([^"']+)["']|^[ \t]*\[[^\]\n]+\]:[ \t]*<?([^\s<>]+)/gim;

/** Tells whether a text is a button's address that installs a server: of Cursor, VS Code, Goose or LM Studio. */
export const isInstallLink = (text: string): boolean => link.test(text.trim());

/** Finds the addresses of buttons that install a server in Markdown or HTML. */
export function installLinksIn(text: string): string[] {
  const addresses = [...text.matchAll(places)].map(([, markdown, html, definition]) => markdown ?? html ?? definition ?? "");
  return [...new Set(addresses.map((address) => address.replaceAll("&amp;", "&")).filter(isInstallLink))];
}

/** Reads the server in an address such as `cursor://…/mcp/install?name=…&config=…` or `vscode:mcp/install?…`. */
export function readInstallLink(text: string): ForeignServer {
  const address = text.trim();
  const query = address.slice(address.indexOf("?") + 1);
  if (/^vscode(?:-insiders)?:/i.test(address)) return fromJson(query.startsWith("{") ? query : decoded(query), null);
  const words = new URLSearchParams(query);
  // A page of VS Code leads on to the address that it opens.
  const target = words.get("url");
  if (target !== null && /^vscode(?:-insiders)?:/i.test(target)) return readInstallLink(target);
  const config = words.get("config");
  if (config !== null) return fromJson(config.trim().startsWith("{") ? config : fromBase64(config), words.get("name"));
  if (/^goose:/i.test(address)) {
    const url = words.get("url");
    const program = url ? { url, type: words.get("type") ?? "http" } : { command: words.get("cmd") ?? "", args: words.getAll("arg") };
    const env = words.getAll("env").map((pair) => [pair.split("=")[0] ?? "", ""]);
    return readServer(words.get("name") ?? words.get("id") ?? "", { ...program, env: Object.fromEntries(env) });
  }
  throw unreadable("The link holds no server. Copy the address of the install button whole.");
}

function fromJson(text: string, name: string | null): ForeignServer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unreadable("The link's configuration is not valid JSON. Copy the address of the install button whole.");
  }
  const own = isJsonObject(json) && typeof json.name === "string" ? json.name : "";
  return readServer(name ?? own, json);
}

/** Cursor writes the standard alphabet, and browsers turn its plus signs into spaces. */
const fromBase64 = (text: string): string => Buffer.from(text.replaceAll(" ", "+"), "base64").toString("utf8");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable("The link is cut or not encoded as an address. Copy the address of the install button whole.");
  }
}
