import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { FolderArgument, folderAliases } from "@/server/capabilities/files/path-argument";
import type { FoundFile } from "@/server/capabilities/search/search-folder";
import { lists } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { clampedInt } from "./page-arguments";
import { counted } from "./search-files";

const maxGlobLength = 500;
/** The most files that are sorted by their time. */
const maxSorted = 5_000;

export const glob = defineTool({
  name: "glob",
  title: "Find files by pattern",
  description:
    "Lists files whose path below the folder path fits a glob: *.ts at any depth, src/**/*.{ts,tsx}. order newest begins with the file changed last. Honours .gitignore; skips .git and node_modules. Links are not followed.",
  family: "files",
  tier: "extension",
  effect: "read",
  needs: [files],
  names: {
    aliases: ["GlobTool", "glob_files", "file_glob"],
    parameterAliases: {
      ...folderAliases,
      glob: "pattern",
      query: "pattern",
      sort: "order",
      limit: "maxResults",
      max_results: "maxResults",
      head_limit: "maxResults",
      include_ignored: "includeIgnored",
      no_ignore: "includeIgnored",
    },
  },
  primaryArgument: "pattern",
  input: z.object({
    pattern: z.string().trim().min(1).max(maxGlobLength).describe("The glob, such as src/**/*.ts"),
    path: FolderArgument.default(".").describe("Folder to search in, relative to the workspace"),
    order: z.enum(["path", "newest"]).default("path").describe("newest: the file changed last comes first"),
    maxResults: clampedInt({ min: 1, max: 1_000 }).prefault(100).describe("Paths in the answer"),
    includeIgnored: z.boolean().default(false).describe("Also files that .gitignore names, and node_modules"),
  }),
  approval: { effects: ({ path }) => [lists("/path", path)] },
  async execute({ pattern, path, order, maxResults, includeIgnored }, { files, signal }) {
    const { kind, path: folder } = await files.stat(path);
    if (kind === "file") throw new AppError("invalid", `${path} is a file. Send a folder as path, and the file's name as pattern.`);
    const query = { text: "", regex: false, ignoreCase: false, path, globs: [globBelow(folder, pattern)], includeIgnored };
    const limit = order === "newest" ? maxSorted : maxResults;
    const found = await files.searchNames({ ...query, limit, signal });
    if (order === "newest" && found.hasMore) {
      throw new AppError("too_large", `More than ${counted(maxSorted, "file")} fit ${pattern}. Narrow it, or send order path.`);
    }
    const all = order === "newest" ? await newestFirst(found.results, files) : found.results;
    const results = all.slice(0, maxResults);
    const hasMore = found.hasMore || all.length > results.length;
    if (results.length === 0) return nothingFits({ pattern, path, isTimedOut: found.isTimedOut, includeIgnored });
    const size = counted(results.length, "file");
    const ending = found.isTimedOut
      ? `[${size}. The search was stopped after 25 seconds: search in a smaller folder.]`
      : hasMore
        ? `[The first ${size}. There are more: narrow the pattern, or raise maxResults.]`
        : `[${size}]`;
    return [...results.map((file) => file.path), ending].join("\n");
  },
});

async function newestFirst(found: readonly FoundFile[], files: FilesCapability): Promise<FoundFile[]> {
  const times = new Map<string, number>();
  for (const { path } of found) {
    // A file may be deleted during the search.
    const stat = await files.stat(path).catch(() => null);
    if (stat) times.set(path, stat.modifiedAt.getTime());
  }
  return found.filter(({ path }) => times.has(path)).toSorted((a, b) => (times.get(b.path) ?? 0) - (times.get(a.path) ?? 0));
}

/** Writes a pattern below a folder as a glob below the workspace. A pattern without a slash fits names at any depth. */
function globBelow(path: string, pattern: string): string {
  if (pattern.startsWith("!")) throw new AppError("invalid", "pattern says which files to list, so it cannot begin with !.");
  if (pattern.startsWith("/") || pattern.startsWith("~")) {
    throw new AppError("invalid", "pattern is absolute. Send one relative to path, such as src/**/*.ts.");
  }
  const plain = pattern.replace(/^(?:\.\/)+/, "");
  if (plain.split("/").includes("..")) {
    throw new AppError("invalid", "pattern leads up with `..`. Send the folder as path, and a pattern below the folder.");
  }
  if (path === "." || !plain.includes("/")) return plain;
  return `${path.replaceAll(/[\\*?[\]{}!]/g, "\\$&")}/${plain}`;
}

function nothingFits({
  pattern,
  path,
  isTimedOut,
  includeIgnored,
}: {
  pattern: string;
  path: string;
  isTimedOut: boolean;
  includeIgnored: boolean;
}): string {
  if (isTimedOut) return "The search was stopped after 25 seconds and had found nothing. Search in a smaller folder.";
  const hint = includeIgnored ? "" : " Files that .gitignore names were left out; includeIgnored lists them, too.";
  return `No file in ${path} fits ${pattern}.${hint}`;
}
