import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { AppError } from "@/server/platform/errors";

/** Settings of a server as another program wrote them; they may lack what a draft needs. */
export type ForeignSettings = Omit<McpServerDraft, "command" | "cwd" | "url"> & { command: string; cwd: string; url: string };

/** A server of another program's configuration. */
export type ForeignServer = {
  /** Name of the server in the other program. */
  name: string;
  settings: ForeignSettings;
  /** Sentences about omitted or changed settings. */
  notes: string[];
  /** Paths of values that only a person can supply: `env.TOKEN`, `args.2`. */
  missing: string[];
};

const defaults = McpServerDraft.parse({ alias: "x", transport: "stdio", command: "x" });

/** Returns a server without settings. */
export function emptyServer(name: string): ForeignServer {
  return { name, settings: { ...defaults, alias: aliasFrom(name), command: "", cwd: "", url: "" }, notes: [], missing: [] };
}

/** Returns the nearest valid alias: `My Server!` becomes `my-server`. */
export function aliasFrom(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/_{2,}/g, "_")
    .replace(/^[-_]+/, "")
    .slice(0, 32)
    .replace(/[-_]+$/, "");
}

export const transportAt = (kind: string, url: string): McpServerDraft["transport"] =>
  kind === "sse" || (kind === "" && /\/sse\/?(?:\?|$)/.test(url)) ? "sse" : "streamable_http";

const hostWithPlace = /^(?:localhost|\[[0-9a-f:]+\]|[\w-]+(?:\.[\w-]+)+)(?::\d{1,5})?(?:\/\S*)?$/i;
const onThisMachine = /^(?:localhost|127\.|10\.|192\.168\.|\[)/i;

/** Tells whether a text is an address whose scheme was left out: `mcp.example.com/mcp`, `localhost:3000`; `server.json` is none. */
export const isBareAddress = (text: string): boolean =>
  hostWithPlace.test(text) &&
  !/\.(?:jsonc?|toml|ya?ml|[cm]?[jt]s|py|md)$/i.test(text) &&
  (/[/:]/.test(text) || /(?:^|[.-])mcp[.-]/i.test(text));

/** Adds the scheme to an address that was written without one. */
export const withScheme = (text: string): string =>
  isBareAddress(text) ? `${onThisMachine.test(text) ? "http" : "https"}://${text}` : text;

/** Texts that stand for a secret in instructions: `<your token>`, `YOUR_API_KEY`, `xxxx`. */
const standIn = /^(?:Bearer |Basic |Token )?(?:<[^<>]*>|\[[^[\]"]*\]|\{[^{}$"]*\}|your[-_ ].*|x{3,}|\.{3}|…|replace[-_ ]?me|changeme)$/i;

/**
 * Rewrites references of other programs as ours and drops those that only the other program can resolve, with a note.
 * @param path of the value in the draft
 */
export function takeValue(server: ForeignServer, path: string, value: string): string {
  const { notes, missing } = server;
  const ask = (sentence: string): string => {
    notes.push(sentence);
    if (!missing.includes(path)) missing.push(path);
    return "";
  };
  if (/^(?:env|headers)\./.test(path) && (value === "" || standIn.test(value.trim()))) {
    return ask(`Type the value of ${path}: the configuration holds ${value === "" ? "none" : "a placeholder"}.`);
  }
  // Gemini CLI and shells write a variable without braces, as the whole value or behind the word of its kind.
  const bare = /^(?:env|headers)\./.test(path)
    ? value.replace(/^((?:Bearer|Basic|Token) )?\$([A-Za-z_]\w*)$/, (_found, kind = "", name) => `${kind}\${${name}}`)
    : value;
  // A default (`${PORT:-3000}`) is settled with the references, because the snippet's own `env` comes before it.
  const reference =
    /\$\{\{\s*([\w.-]+)\s*\}\}|\$\{env:(\w+):-([^}]*)\}|\$\{(?:(?!\w+:-)(\w+):([^}]*)|(workspaceFolder\w*|userHome|pathSeparator|\/))\}/g;
  return bare.replace(reference, (_found, secret, variable, otherwise, kind, name, own) => {
    if (variable !== undefined) return `\${${variable}:-${otherwise}}`;
    if (kind === "env") return `\${${String(name).split(":")[0]}}`;
    return ask(`Type the value of ${path}: ${secret ?? own ?? `${kind}:${name}`} is known to the other program only.`);
  });
}

/** Creates the error of a configuration that cannot be read. */
export function unreadable(message: string): AppError {
  return new AppError("invalid", message, { errors: [{ path: "config", message }] });
}
