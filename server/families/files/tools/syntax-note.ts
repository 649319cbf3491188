import { extname } from "node:path";
import { parseDocument } from "yaml";
import { type AppError, isAppError } from "@/server/platform/errors";
import { JsonText } from "./json-text";

/** Larger files are not checked, because nobody waits for a note. */
const maxCheckedChars = 262_144;

type Check = (path: string, text: string) => string | null;

const checks: Readonly<Record<string, Check>> = {
  ".json": checkJson,
  ".jsonc": checkJson,
  ".ipynb": checkJson,
  ".yaml": checkYaml,
  ".yml": checkYaml,
};

/** Returns a line about the syntax of a file that a call has written; empty for right and for unknown syntax. */
export function syntaxNote(path: string, written: string | Uint8Array): string {
  const suffix = extname(path).toLowerCase();
  const check = Object.hasOwn(checks, suffix) ? checks[suffix] : undefined;
  if (!check || written.length > maxCheckedChars) return "";
  const problem = check(path, typeof written === "string" ? written : Buffer.from(written).toString("utf8"));
  return problem === null ? "" : `\n[The file was written, and its syntax is broken: ${problem}]`;
}

function checkJson(path: string, text: string): string | null {
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
