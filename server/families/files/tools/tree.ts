import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { FolderArgument, folderAliases } from "@/server/capabilities/files/path-argument";
import { lists } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { clampedInt } from "./page-arguments";
import { counted } from "./search-files";

/** The most files that one tree counts. */
const maxCounted = 20_000;

export const tree = defineTool({
  name: "tree",
  title: "Show a folder as a tree",
  description:
    "Shows the files below a folder as an indented tree, folders first. Folders below depth are shown with their number of files. Honours .gitignore; skips .git, node_modules and empty folders. Links are not followed.",
  family: "files",
  tier: "extension",
  effect: "read",
  needs: [files],
  names: {
    aliases: ["TreeTool", "list_directory", "list_dir", "list_files", "ls", "directory_tree"],
    parameterAliases: {
      ...folderAliases,
      max_depth: "depth",
      level: "depth",
      limit: "maxLines",
      max_lines: "maxLines",
      include_ignored: "includeIgnored",
      no_ignore: "includeIgnored",
    },
  },
  primaryArgument: "path",
  input: z.object({
    path: FolderArgument.default(".").describe("Folder, relative to the workspace"),
    depth: clampedInt({ min: 1, max: 20 }).prefault(3).describe("Levels of folders to open"),
    maxLines: clampedInt({ min: 1, max: 1_000 }).prefault(100).describe("Lines in the answer"),
    includeIgnored: z.boolean().default(false).describe("Also files that .gitignore names, and node_modules"),
  }),
  approval: { effects: ({ path }) => [lists("/path", path)] },
  async execute({ path, depth, maxLines, includeIgnored }, { files, signal }) {
    const { kind, path: folder } = await files.stat(path);
    if (kind === "file") throw new AppError("invalid", `${path} is a file. Send a folder.`);
    const query = { text: "", regex: false, ignoreCase: false, path, globs: [], includeIgnored };
    const found = await files.searchNames({ ...query, limit: maxCounted, signal });
    const total = counted(found.results.length, "file");
    if (found.results.length === 0) {
      return found.isTimedOut
        ? "The search was stopped after 25 seconds and had found nothing. Send a smaller folder."
        : `${path} holds no files${includeIgnored ? "" : " but those that .gitignore names"}.`;
    }
    const from = folder === "." ? 0 : folder.length + 1;
    const top = buildTree(found.results.map((file) => file.path.slice(from)));
    const lines = linesOf(top, depth);
    const shown = lines.slice(0, maxLines);
    const notes = [
      found.isTimedOut ? `${total} found in 25 seconds, and not all were seen: send a smaller folder.` : "",
      found.hasMore ? `Only the first ${total} were counted: send a smaller folder.` : "",
      !found.isTimedOut && !found.hasMore ? `${total}.` : "",
      shown.length < lines.length
        ? `${(lines.length - shown.length).toLocaleString("en")} more lines: send a smaller folder or depth, or raise maxLines.`
        : "",
    ];
    return [folder === "." ? "." : `${folder}/`, ...shown, `[${notes.filter(Boolean).join(" ")}]`].join("\n");
  },
});

type Folder = { folders: Map<string, Folder>; files: string[]; count: number };

const emptyFolder = (): Folder => ({ folders: new Map(), files: [], count: 0 });

function buildTree(paths: readonly string[]): Folder {
  const top = emptyFolder();
  for (const path of paths) {
    const names = path.split("/");
    const file = names.pop();
    let here = top;
    here.count += 1;
    for (const name of names) {
      const next = here.folders.get(name) ?? emptyFolder();
      here.folders.set(name, next);
      next.count += 1;
      here = next;
    }
    if (file) here.files.push(file);
  }
  return top;
}

function linesOf({ folders, files }: Folder, depth: number, indent = "  "): string[] {
  return [
    ...[...folders].flatMap(([name, folder]) =>
      depth > 1
        ? [`${indent}${name}/`, ...linesOf(folder, depth - 1, `${indent}  `)]
        : [`${indent}${name}/ (${counted(folder.count, "file")})`],
    ),
    ...files.map((name) => `${indent}${name}`),
  ];
}
