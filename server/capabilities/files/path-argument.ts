import path from "node:path";
import { z } from "zod";

/** Another system's name of the workspace folder. Its other names, file_cache_dir and file_state_dir, are plain folders here. */
const workspaceAlias = /^workspace_dir\/+(?=[^/])/;
const folderNames = new Set(["workspace_dir", "file_cache_dir", "file_state_dir"]);

/**
 * Normalises a path so that rules see the path that will be opened: `drafts/../secrets.txt` must not match a rule for
 * `drafts/`.
 */
export const normalPath = (given: string): string => path.posix.normalize(path.posix.normalize(given).replace(workspaceAlias, ""));

/** Returns whether a path is the bare name of a folder of other systems, where a file is meant. */
export const isBareFolder = (normal: string): boolean => folderNames.has(normal.replace(/\/+$/, ""));

export const bareFolderSentence = "invalid path: alias requires a relative file path, such as file_cache_dir/notes.md";

/** The path argument of tools that take a folder. */
export const FolderArgument = z.string().min(1).overwrite(normalPath);

/** The path argument of tools that take a file. */
export const PathArgument = FolderArgument.refine((normal) => !isBareFolder(normal), bareFolderSentence);

const artifactPath = /^artifact:\/*(.*)$/is;

/** Returns the id of a path such as `artifact:<id>`, which names a file that a call of the conversation made; else null. */
export const artifactIdOf = (path: string): string | null => artifactPath.exec(path)?.[1] ?? null;

export const artifactsAreRead = "is an artifact, which can only be read. Send a path of the workspace.";

/** The path argument of tools that change a file. */
export const ChangedPathArgument = PathArgument.refine((normal) => artifactIdOf(normal) === null, artifactsAreRead);

/** Description of a path that is read. */
export const readPathDescription = "Relative to the workspace, or artifact:<id>";

/** Names that other systems use for the path of a file. */
export const pathAliases = { filePath: "path", file_path: "path", filename: "path", file: "path" } as const;

/** Names that other systems use for the path of a folder. */
export const folderAliases = { folder: "path", directory: "path", dir: "path", dir_path: "path", root: "path" } as const;
