import "server-only";
import type { Dirent } from "node:fs";
import { readdir, readlink, realpath } from "node:fs/promises";
import path from "node:path";

export type FileKind = "sensitive" | "runs_by_itself" | null;

export type FolderInspection = {
  /** Paths relative to the folder; a folder stands for its whole content. */
  sensitive: string[];
  runsByItself: string[];
  /** Links whose target is outside the folder. */
  linksOut: string[];
  /** All links, and folders that were not inspected: paths below them may lead elsewhere than their names say. */
  unfollowed: string[];
  /** True when every entry was inspected. */
  complete: boolean;
};

const defaultMaxEntries = 20_000;
/** Folders with many files that nobody names: packages, and the internal files of git and package managers. */
const skipped: readonly RegExp[] = [/(^|\/)node_modules$/, /(^|\/)\.git\/(objects|lfs|refs|logs)$/, /(^|\/)\.(npm|cache|venv)$/];

/**
 * Searches a folder for files that a command may not read or change. Goes level by level, so that the top files are known
 * even when the folder is too large for a full inspection. Links are noted and never followed.
 * @param classify receives the path, relative to `root`, of every file and folder; a folder with a kind is not entered.
 */
export async function inspectFolder(
  root: string,
  classify: (relativePath: string) => FileKind,
  { maxEntries = defaultMaxEntries }: { maxEntries?: number } = {},
): Promise<FolderInspection> {
  const found: FolderInspection = { sensitive: [], runsByItself: [], linksOut: [], unfollowed: [], complete: true };
  const realRoot = await realpath(root).catch(() => root);
  let level = [""];
  let entries = 0;
  while (level.length > 0) {
    const below: string[] = [];
    for (const folder of level) {
      const inside = await entriesOf(path.join(root, folder));
      // A command could chmod and open a folder that is closed to us, because the same user owns it.
      if (!inside) found.complete = false;
      for (const entry of inside ?? []) {
        entries += 1;
        if (entries > maxEntries) return { ...found, complete: false };
        const relative = folder === "" ? entry.name : `${folder}/${entry.name}`;
        const kind = classify(relative);
        if (entry.isSymbolicLink()) {
          found.unfollowed.push(relative);
          if (await leadsOut(root, realRoot, relative)) found.linksOut.push(relative);
          continue;
        }
        if (kind === "sensitive") found.sensitive.push(relative);
        else if (kind === "runs_by_itself") found.runsByItself.push(relative);
        else if (entry.isDirectory()) (skipped.some((pattern) => pattern.test(relative)) ? found.unfollowed : below).push(relative);
      }
    }
    level = below;
  }
  return found;
}

async function entriesOf(folder: string): Promise<Dirent[] | null> {
  return readdir(folder, { withFileTypes: true }).catch(() => null);
}

async function leadsOut(root: string, realRoot: string, relative: string): Promise<boolean> {
  const file = path.join(root, relative);
  // A dangling link may get a target later, so its own text is resolved.
  const target = await realpath(file).catch(async () => path.resolve(path.dirname(file), await readlink(file).catch(() => ".")));
  return [root, realRoot].every((folder) => target !== folder && !target.startsWith(`${folder}/`));
}
