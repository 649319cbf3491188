import { basename, extname } from "node:path";
import type { Loader } from "esbuild";
import { SaxesParser } from "saxes";
import { parse as parseShell } from "unbash";
import { parseDocument } from "yaml";
import { type AppError, isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { checkPython } from "./check-python";
import { JsonText } from "./json/json-text";

/** Larger files are not checked, because nobody waits for a note. */
export const maxCheckedBytes = 262_144;
/** The parser of shell scripts takes longer for each character. */
const maxShellChars = 65_536;

type Check = (path: string, text: string) => string | null | Promise<string | null>;

const checks: Readonly<Record<string, Check>> = {
  ".json": checkJson,
  ".jsonc": checkJsonWithComments,
  ".ipynb": checkJson,
  ".py": checkPython,
  ".pyi": checkPython,
  ".yaml": checkYaml,
  ".yml": checkYaml,
  ".sh": checkShell,
  ".bash": checkShell,
  ".xml": checkXml,
  ".svg": checkXml,
  // Many files named .js hold JSX, and no other JavaScript means something else in it.
  ".js": checkCode("jsx"),
  ".mjs": checkCode("jsx"),
  ".cjs": checkCode("jsx"),
  ".jsx": checkCode("jsx"),
  ".ts": checkCode("ts"),
  ".mts": checkCode("ts"),
  ".cts": checkCode("ts"),
  ".tsx": checkCode("tsx"),
  ".css": checkCode("css"),
};

/** Returns a line about the syntax of a file that a call has written; empty for right and for unknown syntax. */
export async function syntaxNote(path: string, written: string | Uint8Array): Promise<string> {
  const suffix = extname(path).toLowerCase();
  const check = Object.hasOwn(checks, suffix) ? checks[suffix] : undefined;
  if (!check || written.length > maxCheckedBytes) return "";
  const problem = await check(path, typeof written === "string" ? written : Buffer.from(written).toString("utf8"));
  return problem === null ? "" : `\n[The file was written, and its syntax is broken: ${problem}]`;
}

/** Files whose programs read JSON with comments and trailing commas, although they are named .json. */
const commentedJson =
  /^(?:[tj]sconfig(?:\..+)?|devcontainer|angular|turbo|deno|wrangler|api-extractor|typedoc|\.eslintrc|\.babelrc|\.jshintrc)\.json$/i;
const commentedFolders = /(?:^|[\\/])\.(?:vscode|devcontainer)[\\/]/;

function checkJson(path: string, text: string): string | null {
  const problem = checkJsonWithComments(path, text);
  if (problem !== null || commentedJson.test(basename(path)) || commentedFolders.test(path)) return problem;
  try {
    JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
    return null;
  } catch (error) {
    return `${path} is JSON with comments or trailing commas only: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function checkJsonWithComments(path: string, text: string): string | null {
  try {
    new JsonText(path, text).assertValid();
    return null;
  } catch (error) {
    if (isAppError(error)) return (error as AppError).message;
    throw error;
  }
}

function checkYaml(_path: string, text: string): string | null {
  // The document is not turned into values, so that aliases are not expanded.
  const [error] = parseDocument(text, { logLevel: "silent", strict: true, prettyErrors: true }).errors;
  return error ? (error.message.split("\n")[0] ?? "").replace(/:$/, ".") : null;
}

/** Reads the script as bash does; a script for another shell is not checked. */
function checkShell(_path: string, text: string): string | null {
  const [, interpreter] = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/.exec(text) ?? [];
  if (text.length > maxShellChars || (interpreter !== undefined && !/(?:^|\/)(?:ba|da)?sh$/.test(interpreter))) return null;
  try {
    const [error] = parseShell(text).errors ?? [];
    return error ? `${error.message}, at line ${lineAt(text, error.pos)}.` : null;
  } catch {
    // The parser gave up, which says nothing about the script.
    return null;
  }
}

/** A name that the parser does not know may come from a DTD, which it does not read. */
const declaredElsewhere = /entity/i;

function checkXml(_path: string, text: string): string | null {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let problem: string | null = null;
  parser.on("error", (error) => {
    if (problem === null && !declaredElsewhere.test(error.message)) {
      // The message begins with its place, "1:13: ".
      problem = `${error.message.replace(/^\d+:\d+: /, "").replace(/\.$/, "")}, at line ${parser.line}.`;
    }
  });
  parser.write(text.startsWith("\uFEFF") ? text.slice(1) : text).close();
  return problem;
}

function checkCode(loader: Loader): Check {
  return async (_path, text) => {
    if (/@flow\b/.test(text.slice(0, 1_000))) return null;
    // Loaded with the first such file, because its parser is a program of its own.
    const { transform } = await import("esbuild");
    try {
      const { warnings } = await transform(text, { loader, logLevel: "silent", jsx: "preserve" });
      return placed(warnings.find(({ id }) => id === "css-syntax-error"));
    } catch (error) {
      const [first] = error instanceof Error && "errors" in error ? (error.errors as Parameters<typeof placed>[0][]) : [];
      if (first === undefined) log().warn({ err: error }, "the syntax of a file could not be checked");
      return placed(first);
    }
  };
}

function placed(message: { text: string; location: { line: number; column: number } | null } | undefined): string | null {
  if (!message) return null;
  const { text, location } = message;
  return `${text}${location ? `, at line ${location.line}, column ${location.column + 1}` : ""}.`;
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).trimEnd().split("\n").length;
}
