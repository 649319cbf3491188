import "server-only";
import { decodeBytes, detectEncoding, encodingSampleBytes, type TextEncoding } from "@/server/platform/text-encoding/text-encoding";
import { delimited } from "./delimited";
import { excerptOfLine } from "./excerpt-of-line";
import { inPathOrder, type Order } from "./in-path-order";
import { linePrinting, type PrintedLine, plainPath, readPrintedLine } from "./printed-line";
import { ripgrep } from "./ripgrep";

/** The text of a search and the part of the folder to search. */
export type SearchQuery = {
  /** A plain text, or a regular expression with `regex`. */
  text: string;
  regex: boolean;
  ignoreCase: boolean;
  /** Relative path of a folder or file; "." for all. */
  path: string;
  /** Only files that fit one of these globs; a glob that begins with "!" excludes. */
  globs: readonly string[];
  /** Searches also node_modules and files that .gitignore names. */
  includeIgnored: boolean;
  /** Encoding of the files; without it, UTF-8 and what a byte order mark says. */
  encoding?: string | undefined;
  /** The most results. */
  limit: number;
  signal: AbortSignal;
  /** Hears of each result that counts: how many so far, and the path of the last. */
  onFound?: (count: number, path: string) => void;
};

export type FoundLine = { path: string; line: number; text: string; isMatch: boolean };
export type FoundFile = { path: string; matchingLines?: number };
export type Found<T> = {
  results: T[];
  hasMore: boolean;
  /** The search ended at its time limit, before it had seen everything. */
  isTimedOut: boolean;
};

/** A searchable folder, and the files whose contents a search omits. */
export type SearchedFolder = {
  /** Real absolute path. */
  folder: string;
  /** Files whose contents are not shown. */
  isHidden: (relativePath: string) => boolean;
  readRange: (relativePath: string, start: number, length: number) => Promise<Uint8Array>;
};

const maxMs = 25_000;
/** A search over line breaks has the whole file in memory; any other search streams. */
const maxMultilineSize = "10M";
/** The most files that are compared to find those that no search reads. */
const maxListed = 20_000;
const newline = 0x0a;
const inOrder = ["--sort", "path"];

/** Returns matching lines, with `contextLines` lines around each. */
export async function searchLines(
  { folder, isHidden, readRange }: SearchedFolder,
  query: SearchQuery & { contextLines: number },
): Promise<Found<FoundLine>> {
  const context = query.contextLines > 0 ? ["--context", String(query.contextLines)] : [];
  const print = (order: Order, signal: AbortSignal) =>
    printedLines(ripgrep([...linePrinting, ...context, ...contentArguments(query, order)], { folder, signal }));
  const textOf = lineTexts(readRange, query);
  const lines: FoundLine[] = [];
  let matches = 0;
  const ending = await untilTimeIsUp(query.signal, async (signal) => {
    for await (const line of inPathOrder(print, signal)) {
      if (isHidden(line.path)) continue;
      if (line.isMatch) matches += 1;
      if (matches > query.limit) return;
      if (line.isMatch) query.onFound?.(matches, line.path);
      lines.push({ path: line.path, line: line.line, text: await textOf(line), isMatch: line.isMatch });
    }
  });
  // Context lines in front of the surplus match belong to no result.
  while (matches > query.limit && lines.at(-1)?.isMatch === false && !isBehindMatch(lines, query.contextLines)) lines.pop();
  return { results: lines, hasMore: matches > query.limit, isTimedOut: ending === "time_up" };
}

/** Returns a function that shows a line in the encoding of its file. */
function lineTexts(readRange: SearchedFolder["readRange"], { encoding }: SearchQuery): (line: PrintedLine) => Promise<string> {
  const encodings = new Map<string, TextEncoding>();
  return async (line) => {
    // Offsets count the bytes of the file, and ripgrep prints those of the decoded text.
    const read = (start: number, length: number) => (encoding ? Promise.resolve(line.bytes) : readRange(line.path, start, length));
    const text = await excerptOfLine(line, read);
    if (encoding || !text.includes("\uFFFD")) return text;
    const found = encodings.get(line.path) ?? detectEncoding(await readRange(line.path, 0, encodingSampleBytes), false);
    encodings.set(line.path, found);
    // A sample of plain ASCII tells nothing, and then the line itself does.
    const own = found.name === "utf-8" ? detectEncoding(line.bytes) : found;
    return own.name === "utf-8" ? text : excerptOfLine({ ...line, bytes: Buffer.from(decodeBytes(line.bytes, own)) }, read);
  };
}

/** Returns true when the last line is context of the last match in front of it. */
function isBehindMatch(lines: readonly FoundLine[], contextLines: number): boolean {
  const last = lines.at(-1);
  const match = lines.findLast(({ isMatch }) => isMatch);
  return last !== undefined && match !== undefined && match.path === last.path && last.line - match.line <= contextLines;
}

/** Returns files with a match; with `counts`, also the number of matching lines of each file. */
export async function searchFiles(
  { folder, isHidden }: SearchedFolder,
  query: SearchQuery & { counts: boolean },
): Promise<Found<FoundFile>> {
  const printing = [query.counts ? "--count" : "--files-with-matches", "--null", "--with-filename"];
  const read = query.counts ? countsIn : pathsIn;
  const print = (order: Order, signal: AbortSignal) => read(ripgrep([...printing, ...contentArguments(query, order)], { folder, signal }));
  return collect(
    query,
    (signal) => inPathOrder(print, signal),
    ({ path }) => !isHidden(path),
  );
}

/** Returns files by their relative path; an empty text lists all files. */
export async function searchNames({ folder }: Pick<SearchedFolder, "folder">, query: SearchQuery): Promise<Found<FoundFile>> {
  const list = (signal: AbortSignal) => ripgrep(["--files", "--null", ...inOrder, ...whereArguments(query)], { folder, signal });
  const filter = ["--null-data", "--text", ...patternArguments(query)];
  const found = (signal: AbortSignal) => (query.text === "" ? list(signal) : ripgrep(filter, { folder, signal, input: list(signal) }));
  return collect(query, (signal) => pathsIn(found(signal)));
}

const isMultiline = ({ text, regex }: SearchQuery): boolean => text.includes("\n") || (regex && text.includes("\\n"));

function contentArguments(query: SearchQuery, order: Order): string[] {
  return [
    ...(isMultiline(query) ? ["--multiline", "--max-filesize", maxMultilineSize] : []),
    ...(query.encoding ? ["--encoding", query.encoding] : []),
    ...patternArguments(query),
    ...order,
    ...whereArguments(query),
  ];
}

/** Files whose contents a search of the folder does not read. */
export type Unsearched = {
  /** Binary files and documents, and with a query over line breaks files above 10 MiB. */
  unread: string[];
  sensitive: string[];
  /** There are too many files to name all of them. */
  isPartial: boolean;
};

/** Returns the files that a search of contents left out, other than those that .gitignore names. */
export async function findUnsearched({ folder, isHidden }: SearchedFolder, query: SearchQuery): Promise<Unsearched> {
  const wide = { ...query, text: "", regex: false, limit: maxListed, onFound: () => {} };
  const listed = await searchNames({ folder }, wide);
  const size = isMultiline(query) ? ["--max-filesize", maxMultilineSize] : [];
  const readable = [
    ...["--files-with-matches", "--null", "--fixed-strings", "--regexp", ""],
    ...size,
    ...inOrder,
    ...whereArguments(query),
  ];
  const texts = await collect(wide, (signal) => pathsIn(ripgrep(readable, { folder, signal })));
  const read = new Set(texts.results.map(({ path }) => path));
  const paths = listed.results.map(({ path }) => path);
  return {
    unread: paths.filter((path) => !read.has(path) && !isHidden(path)),
    sensitive: paths.filter(isHidden),
    isPartial: listed.hasMore || listed.isTimedOut || texts.hasMore || texts.isTimedOut,
  };
}

function patternArguments({ text, regex, ignoreCase }: SearchQuery): string[] {
  return [...(regex ? [] : ["--fixed-strings"]), ...(ignoreCase ? ["--ignore-case"] : []), "--regexp", text];
}

function whereArguments({ path, globs, includeIgnored }: SearchQuery): string[] {
  const names = path.split("/");
  const leftOut = [".git", ...(includeIgnored ? [] : ["node_modules"])].filter((name) => !names.includes(name));
  return [
    "--hidden",
    // .gitignore files above the folder belong to the machine. Those of the folder itself count also for a search below it.
    ...(includeIgnored ? ["--no-ignore"] : ["--no-require-git", "--no-ignore-parent", "--no-ignore-global"]),
    ...(includeIgnored || path === "." ? [] : ["--ignore-file", ".gitignore"]),
    ...globs.flatMap((glob) => ["--glob", glob]),
    // A line break in a name would make one printed line look like two.
    ...[...leftOut.map((name) => `!${name}`), "!*\n*"].flatMap((glob) => ["--glob", glob]),
    "--",
    // Without a path, ripgrep prints paths as the globs see them: without "./".
    ...(path === "." ? [] : [path]),
  ];
}

async function* printedLines(printed: AsyncIterable<Buffer>): AsyncGenerator<PrintedLine, void> {
  for await (const text of delimited(printed, newline)) {
    const line = readPrintedLine(text);
    if (line) yield line;
  }
}

async function* pathsIn(printed: AsyncIterable<Buffer>): AsyncGenerator<FoundFile, void> {
  for await (const path of delimited(printed, 0)) yield { path: plainPath(path) };
}

async function* countsIn(printed: AsyncIterable<Buffer>): AsyncGenerator<FoundFile, void> {
  for await (const line of delimited(printed, newline)) {
    const end = line.indexOf(0);
    if (end !== -1) yield { path: plainPath(line.subarray(0, end)), matchingLines: Number(line.subarray(end + 1).toString("latin1")) };
  }
}

async function collect(
  { limit, signal, onFound }: Pick<SearchQuery, "limit" | "signal" | "onFound">,
  search: (signal: AbortSignal) => AsyncIterable<FoundFile>,
  isShown: (file: FoundFile) => boolean = () => true,
): Promise<Found<FoundFile>> {
  const results: FoundFile[] = [];
  const ending = await untilTimeIsUp(signal, async (either) => {
    for await (const file of search(either)) {
      if (!isShown(file)) continue;
      results.push(file);
      if (results.length > limit) return;
      onFound?.(results.length, file.path);
    }
  });
  return { results: results.slice(0, limit), hasMore: results.length > limit, isTimedOut: ending === "time_up" };
}

/**
 * Runs the work until the time limit, so that partial results become an answer.
 * @throws the work's error, and the abort reason when the caller stops it
 */
async function untilTimeIsUp(stopped: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<"done" | "time_up"> {
  const timeUp = AbortSignal.timeout(maxMs);
  try {
    await work(AbortSignal.any([stopped, timeUp]));
    return "done";
  } catch (error) {
    stopped.throwIfAborted();
    if (timeUp.aborted) return "time_up";
    throw error;
  }
}
