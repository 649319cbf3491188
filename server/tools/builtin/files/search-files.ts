import { setImmediate as breathe } from "node:timers/promises";
import { RE2JS } from "re2js";
import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "../../define-tool";
import { globMatcher } from "./glob";
import { PathArgument } from "./path-argument";
import { kindOf } from "./text-file";

const maxSearchedBytes = 10 * 1_048_576;
/** Longer lines are searched up to here, so that one line of megabytes cannot hold up everybody. */
const maxLineLength = 20_000;
/** Lines after which others get their turn: searching is plain work in the one thread that serves everybody. */
const linesAtATime = 5_000;
const shownLineLength = 300;
const skippedFolders = new Set([".git", "node_modules"]);

type Match = { path: string; line: number; text: string; before?: string[]; after?: string[] };

export const searchFiles = defineTool({
  name: "search_files",
  title: "Search files",
  description:
    "Finds lines in workspace files (target content) or files by their path (target name; an empty query lists all). query is plain text, or an RE2 pattern with regex. Skips .git, node_modules, binary files and files over 10 MiB.",
  family: "files",
  tier: "core",
  effect: "read",
  needs: ["files"],
  aliases: ["SearchFilesTool", "grep", "find_files", "search_file_content"],
  parameterAliases: {
    pattern: "query",
    text: "query",
    folder: "path",
    directory: "path",
    include: "glob",
    ignore_case: "ignoreCase",
    context_lines: "contextLines",
    context: "contextLines",
    max_results: "maxResults",
    limit: "maxResults",
  },
  primaryArgument: "query",
  input: z.object({
    query: z.string().max(1_000),
    target: z.enum(["content", "name"]).default("content"),
    path: PathArgument.default(".").describe("Folder or file to search in, relative to the workspace"),
    glob: z.string().min(1).optional().describe("Only these files, such as *.ts or src/**/*.{md,txt}"),
    regex: z.boolean().default(false),
    ignoreCase: z.boolean().default(false),
    contextLines: z.int().min(0).max(10).default(0).describe("Lines to show around each match"),
    maxResults: z.int().min(1).max(500).default(50),
  }),
  async execute({ query, target, path, glob, regex, ignoreCase, contextLines, maxResults }, { files, signal, progress }) {
    if (target === "content" && query === "") {
      throw new AppError("invalid", 'The query is empty. Send the text to find, or target "name" to list files.');
    }
    const matches = lineMatcher(query, { regex, ignoreCase });
    const fits = glob ? globMatcher(glob) : () => true;
    const found: (Match | { path: string; bytes: number })[] = [];
    let searched = 0;
    let skipped = 0;
    let truncated = false;

    for await (const { path: file, bytes } of files.walk(path, { signal, skipFolders: skippedFolders })) {
      if (!fits(file)) continue;
      if (target === "name") {
        searched += 1;
        if (matches(file)) found.push({ path: file, bytes });
      } else {
        const text = bytes > maxSearchedBytes ? null : await textOf(files.readBytes(file, { maxBytes: maxSearchedBytes }), file);
        if (text === null) {
          skipped += 1;
          continue;
        }
        searched += 1;
        if (searched % 500 === 0) progress(`Searched ${searched} files, ${found.length} matches so far`);
        const most = maxResults + 1 - found.length;
        for await (const match of matchingLines(file, text, { matches, contextLines, most, signal })) found.push(match);
      }
      if (found.length > maxResults) {
        truncated = true;
        break;
      }
    }

    const shown = found.slice(0, maxResults);
    return {
      matches: shown,
      filesSearched: searched,
      ...(skipped > 0 ? { filesSkipped: skipped } : {}),
      truncated,
      message: describe(shown.length, truncated, target),
    };
  },
});

/** @throws AppError `invalid` for a pattern that RE2 does not take. */
function lineMatcher(query: string, { regex, ignoreCase }: { regex: boolean; ignoreCase: boolean }): (line: string) => boolean {
  if (!regex && !ignoreCase) return (line) => line.includes(query);
  if (!regex) {
    const wanted = query.toLowerCase();
    return (line) => line.toLowerCase().includes(wanted);
  }
  try {
    const compiled = RE2JS.compile(query, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (line) => compiled.test(line);
  } catch (error) {
    const why = error instanceof Error ? error.message : "it cannot be read";
    throw new AppError("invalid", `The query is not an RE2 pattern: ${why}. Look-around and back-references do not exist there.`);
  }
}

/** The text of a file; null when it is none, or went away while we walked. */
async function textOf(reading: Promise<Uint8Array>, name: string): Promise<string | null> {
  const bytes = await reading.catch(() => null);
  if (!bytes || kindOf(name, bytes) !== "text") return null;
  return new TextDecoder().decode(bytes);
}

async function* matchingLines(
  path: string,
  text: string,
  { matches, contextLines, most, signal }: { matches: (line: string) => boolean; contextLines: number; most: number; signal: AbortSignal },
): AsyncIterable<Match> {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  let count = 0;
  for (const [index, line] of lines.entries()) {
    if (index % linesAtATime === linesAtATime - 1) await breathe();
    signal.throwIfAborted();
    if (!matches(line.slice(0, maxLineLength))) continue;
    const around = contextLines > 0 && {
      before: lines.slice(Math.max(index - contextLines, 0), index).map(shortened),
      after: lines.slice(index + 1, index + 1 + contextLines).map(shortened),
    };
    yield { path, line: index + 1, text: shortened(line), ...around };
    count += 1;
    if (count === most) return;
  }
}

function shortened(line: string): string {
  return line.length > shownLineLength ? `${line.slice(0, shownLineLength).toWellFormed()}…` : line;
}

function describe(count: number, truncated: boolean, target: "content" | "name"): string {
  const what = target === "name" ? "file" : "line";
  if (count === 0) return `No ${what} matches.`;
  const some = `${count} ${what}${count === 1 ? "" : "s"}`;
  return truncated ? `The first ${some}. There are more: narrow the search, or raise maxResults.` : `${some} in all.`;
}
