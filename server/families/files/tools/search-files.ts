import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { FolderArgument } from "@/server/capabilities/files/path-argument";
import type { Found, FoundLine, SearchQuery } from "@/server/capabilities/search/search-folder";
import { lists, reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { documentTool } from "@/server/tools/results/helping-tools";
import { throttledProgress } from "@/server/tools/results/throttled-progress";
import { askedEncoding } from "./file-text";
import { assertText } from "./text-file";

const maxGlobLength = 500;

export const searchFiles = defineTool({
  name: "search_files",
  title: "Search files",
  description:
    "Finds lines in workspace files (target content), or files by path (target name; query may be a glob, empty lists all). query is plain text, or a regular expression with regex. mode: content shows path:line: text, files the paths, count matching lines a file. Honours .gitignore; skips .git, node_modules and binary files, and names them when nothing is found.",
  family: "files",
  tier: "core",
  effect: "read",
  needs: [files],
  names: {
    aliases: ["SearchFilesTool", "grep", "ripgrep", "find_files", "search_file_content"],
    // Elsewhere, tools with these names take a regular expression, or search for file names.
    aliasDefaults: {
      grep: { regex: true },
      ripgrep: { regex: true },
      search_file_content: { regex: true },
      find_files: { target: "name" },
    },
    parameterAliases: {
      pattern: "query",
      text: "query",
      folder: "path",
      directory: "path",
      dir_path: "path",
      include: "glob",
      "-i": "ignoreCase",
      ignore_case: "ignoreCase",
      "-C": "contextLines",
      context_lines: "contextLines",
      context: "contextLines",
      max_results: "maxResults",
      head_limit: "maxResults",
      limit: "maxResults",
      include_ignored: "includeIgnored",
      no_ignore: "includeIgnored",
    },
  },
  primaryArgument: "query",
  input: z.object({
    query: z.string().max(1_000).describe("The words, or the expression with regex"),
    target: z.enum(["content", "name"]).default("content").describe("Search in contents or in names"),
    mode: z.enum(["content", "files", "count"]).default("content").describe("Form of the answer"),
    path: FolderArgument.default(".").describe("Folder or file to search in, relative to the workspace, or artifact:<id>"),
    glob: z.string().min(1).max(maxGlobLength).optional().describe("Only these files: *.ts, src/**/*.{md,txt}; !*.test.ts leaves out"),
    regex: z.boolean().default(false).describe("query is a regular expression"),
    ignoreCase: z.boolean().default(false).describe("Upper and lower case are the same"),
    contextLines: z.int().min(0).max(10).default(0).describe("Lines to show around each match"),
    maxResults: z.int().min(1).max(500).default(50).describe("Lines in the answer"),
    encoding: z.string().min(1).max(40).optional().describe("Of the files, such as windows-1252, when not UTF-8"),
    includeIgnored: z.boolean().default(false).describe("Also files that .gitignore names, and node_modules"),
  }),
  approval: {
    // The declared effect needs only the folder, because the search leaves out sensitive files below it.
    effects: ({ path, target }) => [target === "name" ? lists("/path", path) : reads("/path", path)],
  },
  async execute({ query, target, mode, glob, maxResults, contextLines, ...given }, { files, signal, progress }) {
    const tell = throttledProgress(progress);
    const noun = target === "content" && mode === "content" ? "matching line" : "file";
    const onFound = (count: number, path: string) => tell(() => `${counted(count, noun)} so far, up to ${path}`);
    progress(`Searching ${given.path === "." ? "the workspace" : given.path}`);
    const asked: SearchQuery = { text: query, globs: glob ? [glob] : [], limit: maxResults, signal, onFound, ...given };
    if (asked.encoding !== undefined) asked.encoding = askedEncoding(asked.encoding).name;
    if (target === "name") return namesThatFit(asked, mode, files);
    if (query === "") throw new AppError("invalid", 'The query is empty. Send the text to find, or target "name" to list files.');
    await assertSearchText(given.path, files);
    if (mode === "content") return linesThatMatch({ ...asked, contextLines }, files);
    const found = await files.searchFiles({ ...asked, counts: mode === "count" });
    if (found.results.length === 0) return nothingFound(asked, found, files);
    const total = found.results.reduce((sum, { matchingLines = 0 }) => sum + matchingLines, 0);
    const lines = found.results.map(({ path, matchingLines }) => (matchingLines === undefined ? path : `${path}: ${matchingLines}`));
    const sum = mode === "count" ? `, ${counted(total, "line")}` : "";
    return [...lines, ending(found, `${counted(lines.length, "file")}${sum}${await unreadDocuments(asked, found, files)}`)].join("\n");
  },
});

/** Throws when `path` names a single file that is not text. A search of a folder just skips such files. */
async function assertSearchText(path: string, files: FilesCapability): Promise<void> {
  const { kind, name } = await files.stat(path);
  if (kind !== "file") return;
  for await (const beginning of files.readChunks(path)) return assertText(path, beginning, name);
}

async function linesThatMatch(asked: SearchQuery & { contextLines: number }, files: FilesCapability): Promise<string> {
  const found = await files.searchLines(asked);
  const matches = found.results.filter(({ isMatch }) => isMatch);
  if (matches.length === 0) return nothingFound(asked, found, files);
  const paths = new Set(matches.map(({ path }) => path));
  const size = `${counted(matches.length, "line")} in ${counted(paths.size, "file")}`;
  return [...printed(found.results, asked.contextLines), ending(found, `${size}${await unreadDocuments(asked, found, files)}`)].join("\n");
}

/** Formats lines as grep does: `path:3: text` for a match, `path-4- text` for context, and `--` for a gap. */
function printed(lines: readonly FoundLine[], contextLines: number): string[] {
  return lines.flatMap(({ path, line, text, isMatch }, index) => {
    const previous = lines[index - 1];
    const isGap = contextLines > 0 && previous && !(previous.path === path && previous.line === line - 1);
    return [...(isGap ? ["--"] : []), isMatch ? `${path}:${line}: ${text}` : `${path}-${line}- ${text}`];
  });
}

async function namesThatFit(asked: SearchQuery, mode: "content" | "files" | "count", files: FilesCapability): Promise<string> {
  if (mode === "count") throw new AppError("invalid", 'mode "count" counts lines in files. Leave mode out to list files by name.');
  const isGlob = !asked.regex && looksLikeGlob(asked.text);
  if (isGlob && asked.globs.length > 0) {
    throw new AppError("invalid", "The query is a glob, and so is glob. Send one of them, and in query a part of the path or nothing.");
  }
  const found = await files.searchNames(isGlob ? { ...asked, text: "", globs: [asked.text] } : asked);
  if (found.results.length === 0) return found.isTimedOut ? timeIsUp : "No file fits.";
  return [...found.results.map(({ path }) => path), ending(found, counted(found.results.length, "file"))].join("\n");
}

const looksLikeGlob = (text: string): boolean => /[*?]|\{[^{}]*,[^{}]*\}|^!/.test(text);

/** Explains an empty result as far as possible, and suggests a next step. */
async function nothingFound(asked: SearchQuery, { isTimedOut }: Found<unknown>, files: FilesCapability): Promise<string> {
  if (isTimedOut) return timeIsUp;
  const [glob] = asked.globs;
  if (glob !== undefined) {
    const { results } = await files.searchNames({ ...asked, text: "", limit: 1 });
    if (results.length === 0) return `No file fits the glob ${glob}, so nothing was searched.`;
  }
  const isName = !asked.text.includes(" ") && looksLikeGlob(asked.text);
  const hint = isName
    ? ` To find files by name, send target "name" with this query.`
    : !asked.regex && /\\[wdsb]|\.[*+]|\w\|\w/.test(asked.text)
      ? " The query was taken as plain text; send regex: true for a regular expression."
      : asked.includeIgnored
        ? ""
        : " Files that .gitignore names were left out; includeIgnored searches them, too.";
  const isForeign = asked.encoding === undefined && /[^\0-\x7f]/.test(asked.text);
  const encodings = isForeign ? " Files are compared as UTF-8 (UTF-16 with its mark); encoding names another, such as windows-1252." : "";
  return `No line matches.${hint}${encodings}${await unsearchedSentence(asked, files)}`;
}

/** Names the files that the search did not read; empty when it read all. */
async function unsearchedSentence(asked: SearchQuery, files: FilesCapability): Promise<string> {
  const { unread, sensitive, isPartial } = await files.findUnsearched(asked);
  const kept: string[] = [];
  for (const path of unread) {
    // An empty file has nothing to find, and a file may be deleted meanwhile.
    const stat = kept.length < maxStats ? await files.stat(path).catch(() => null) : null;
    if (kept.length >= maxStats || (stat && stat.bytes > 0)) kept.push(path);
  }
  const documents = kept.filter((path) => documentName.test(path));
  const others = kept.filter((path) => !documentName.test(path));
  const parts = [
    documents.length > 0 ? documentsIn(documents) : "",
    others.length > 0
      ? `${counted(others.length, "file")} that ${others.length === 1 ? "is" : "are"} no text or too large (${named(others)})`
      : "",
    sensitive.length > 0
      ? `${counted(sensitive.length, "sensitive file")} (${named(sensitive)}: search ${sensitive.length === 1 ? "it" : "one"} by its path)`
      : "",
  ].filter(Boolean);
  const rest = isPartial ? " There are more files than could be compared." : "";
  return parts.length === 0 ? rest : ` Not searched: ${parts.join("; ")}.${rest}`;
}

/** Names documents beside what was found, because the same words may stand in them; nothing for a large folder, where it takes too long. */
async function unreadDocuments(asked: SearchQuery, { hasMore, isTimedOut }: Found<unknown>, files: FilesCapability): Promise<string> {
  if (hasMore || isTimedOut) return "";
  const listed = await files.searchNames({ ...asked, text: "", regex: false, limit: maxCompared, onFound: () => {} });
  const documents = listed.results.map(({ path }) => path).filter((path) => textDocument.test(path));
  if (listed.hasMore || documents.length === 0) return "";
  return `. Not searched: ${documentsIn(documents)}`;
}

const maxCompared = 2_000;
/** Documents of words whose files are no text. */
const textDocument = /\.(?:pdf|docx?|docm|xlsx?|xlsm|pptx?|pptm|od[tsp]|epub|msg)$/i;

const maxStats = 1_000;
const documentName = /\.(?:pdf|docx?|docm|xlsx?|xlsm|pptx?|pptm|od[tsp]|rtf|epub|eml|msg|png|jpe?g|tiff?)$/i;
function documentsIn(documents: readonly string[]): string {
  const tool = documentTool.text();
  return `${counted(documents.length, "document")} (${named(documents)}${tool ? `: ${tool} reads them` : ""})`;
}
const named = (paths: readonly string[]): string => `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ", …" : ""}`;

const timeIsUp = "The search was stopped after 25 seconds and had found nothing. Search in a smaller folder, or with a glob.";

/** Returns the last line of a result: its size, and whether more results exist. */
function ending({ hasMore, isTimedOut }: Found<unknown>, size: string): string {
  if (isTimedOut) return `[${size}. The search was stopped after 25 seconds: search in a smaller folder, or with a glob.]`;
  return hasMore ? `[The first ${size}. There are more: narrow the search, or raise maxResults.]` : `[${size}]`;
}

export const counted = (count: number, noun: string): string => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
