import { isJsonObject } from "@/contracts/lib/is-json-object";
import { emptyServer, type ForeignServer, isBareAddress, takeValue, transportAt, unreadable, withScheme } from "./foreign-server";
import { localProgram, type Program } from "./local-program";
import { readServer } from "./read-server";
import { splitWords } from "./split-words";

const start = /^\s*[$>]?\s*(?:(?:claude|codex|gemini|qwen|droid)\s+mcp\s+add(?:-json)?\s|code(?:-insiders)?\s+--add-mcp\s)/m;

/** Tells whether a text is commands that add servers (`claude mcp add …`). */
export const isCommandLine = (text: string): boolean => start.test(text) && !text.trimStart().startsWith("{");

/** Reads commands that add servers, one per line; a backslash continues a line. Other lines are passed over. */
export function readCommandLines(text: string): ForeignServer[] {
  const lines = text
    .replace(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .filter((line) => start.test(line));
  return lines.map((line) => readCommandLine(splitWords(line.replace(/^\s*[$>]\s*/, ""))));
}

function readCommandLine([program = "", ...words]: string[]): ForeignServer {
  if (/^code(?:-insiders)?$/.test(program)) return readJsonWord(words[words.indexOf("--add-mcp") + 1] ?? "", null);
  const [, verb = "", ...rest] = words;
  if (verb === "add-json") {
    const given = rest.filter((word, index) => !word.startsWith("-") && !/^(?:-s|--scope)$/.test(rest[index - 1] ?? ""));
    return readJsonWord(given[1] ?? "", given[0] ?? "");
  }
  return readOptions(rest);
}

function readJsonWord(word: string, name: string | null): ForeignServer {
  let json: unknown;
  try {
    json = JSON.parse(word);
  } catch {
    throw unreadable("The JSON in the command is not valid. Quote it in single quotes.");
  }
  const own = isJsonObject(json) && typeof json.name === "string" ? json.name : "";
  return readServer(name ?? own, json);
}

/** Options with a value that say nothing about the server itself. */
const skipped = /^(?:-s|--scope|--client-id|--callback-port|--description)$/;

/** Reads words in order; `next` is the only way forward, so that an option takes its value. */
class Words {
  #place = 0;
  constructor(readonly words: readonly string[]) {}
  peek = (): string | undefined => this.words[this.#place];
  next = (): string => {
    const word = this.words[this.#place] ?? "";
    this.#place += 1;
    return word;
  };
  rest = (): string[] => this.words.slice(this.#place);
}

type Options = { kind: string; env: string[]; headers: string[]; address: string | null; left: string[] };

/** Takes one option with its value; an option that says nothing about the server is passed over. */
function takeOption(word: string, words: Words, options: Options): void {
  const [option, attached] = word.startsWith("--") && word.includes("=") ? splitAt(word, "=") : [word, null];
  const value = (): string => attached ?? words.next();
  if (/^(?:-t|--transport)$/.test(option)) options.kind = value().toLowerCase();
  else if (/^(?:-e|--env)$/.test(option)) {
    options.env.push(value());
    while (/^[A-Za-z_]\w*=/.test(words.peek() ?? "")) options.env.push(words.next());
  } else if (/^(?:-H|--header)$/.test(option)) options.headers.push(value());
  else if (option === "--bearer-token-env-var") options.headers.push(`Authorization: Bearer \${${value()}}`);
  else if (option === "--url") options.address = value();
  else if (skipped.test(option)) value();
  else options.left.push(option);
}

function readOptions(given: readonly string[]): ForeignServer {
  const words = new Words(given);
  const options: Options = { kind: "", env: [], headers: [], address: null, left: [] };
  const positional: string[] = [];
  // The first word of the program ends the options: what follows belongs to the program.
  while (words.peek() !== undefined && positional.length < 2) {
    const word = words.next();
    if (word === "--") break;
    if (word.startsWith("-")) takeOption(word, words, options);
    else positional.push(word);
  }
  const [name = "", ...first] = positional;
  const [target = "", ...others] = options.address === null ? [...first, ...words.rest()] : [options.address];
  const isRemote = /^(?:http|sse|streamable)/.test(options.kind) && isBareAddress(target);
  const isAddress = (/^https?:\/\//i.test(target) || isRemote) && options.kind !== "stdio";
  if (isAddress) {
    const after = new Words(others);
    // Options may also follow the address.
    while (after.peek() !== undefined) takeOption(after.next(), after, options);
  }
  const server = emptyServer(name);
  // A shell would fill in `$NAME` before the program sees it; in arguments it may be meant for the program.
  const take = (path: string, value: string) =>
    takeValue(server, path, path.startsWith("args.") ? value : value.replace(/\$([A-Z_][A-Z0-9_]*)\b/g, "$${$1}"));
  const { kind, headers, left } = options;
  const note = (sentence: string) => void server.notes.push(sentence);
  const started: Program = isAddress ? { path: "" } : localProgram({ path: target, args: others }, note);
  const env = [...options.env.map((pair) => splitAt(pair, "=")), ...Object.entries(started.env ?? {})];
  server.settings = {
    ...server.settings,
    ...(isAddress
      ? { transport: transportAt(kind, target), url: take("url", withScheme(target)) }
      : {
          transport: "stdio" as const,
          command: take("command", started.path),
          args: (started.args ?? []).map((arg, place) => take(`args.${place}`, arg)),
        }),
    env: Object.fromEntries(env.map(([key, value]) => [key, take(`env.${key}`, value)])),
    headers: Object.fromEntries(
      headers.map((line) => splitAt(line, ":")).map(([key, value]) => [key.trim(), take(`headers.${key.trim()}`, value.trim())]),
    ),
  };
  if (left.length > 0) server.notes.push(`Not taken over: ${left.join(", ").slice(0, 500)}.`);
  return server;
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
