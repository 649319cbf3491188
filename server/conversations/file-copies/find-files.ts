import "server-only";
import type { Stats } from "node:fs";
import { glob, lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { processWide } from "@/server/platform/process-wide";

export type FoundFile = { path: string; stats: Stats };

/** The files of a folder that appeared since a time, and whether there were more than the limit. */
export type FoundFiles = { files: FoundFile[]; repositories: string[]; isCut: boolean };

export type FileSearch = {
  root: string;
  /** Folders that are not searched, such as packages and build outputs. */
  isSkipped: (relativePath: string) => boolean;
  maxFiles: number;
};

type Listing = { changedAt: number; files: readonly string[]; folders: readonly string[] };

const parallel = 64;
const maxCached = 100_000;

/**
 * Finds the files of a folder that were made, changed or moved there since a time. An unchanged folder has no new entry, so its
 * files are not looked at one by one. A folder that was renamed as a whole has old files, and all of them count as new.
 */
export async function findNewFiles({ root, isSkipped, maxFiles }: FileSearch, since: number): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], repositories: [], isCut: false };
  let level = [{ at: "", isMoved: false }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (let first = 0; first < level.length; first += parallel) {
      const visited = level.slice(first, first + parallel);
      const folders = await Promise.all(visited.map((folder) => lookInto(root, folder, since)));
      for (const { listing, isNew, isMoved, at } of folders.flatMap((folder) => folder ?? [])) {
        for (const name of listing.folders) {
          const folder = below(at, name);
          if (name === ".git") {
            const stats = await lstat(path.join(root, folder)).catch(() => null);
            if (stats && (isMoved || stats.birthtimeMs >= since)) found.repositories.push(folder);
          } else if (!isSkipped(folder)) next.push({ at: folder, isMoved });
        }
        if (!isNew || found.isCut) continue;
        const files = await statsOf(
          root,
          listing.files.slice(0, maxFiles - found.files.length).map((name) => below(at, name)),
        );
        found.files.push(...files.filter(({ stats }) => isMoved || stats.ctimeMs >= since));
        found.isCut = listing.files.length > 0 && found.files.length >= maxFiles;
      }
    }
    level = next;
  }
  return found;
}

type Visited = { at: string; isMoved: boolean };

async function lookInto(root: string, { at, isMoved }: Visited, since: number) {
  const folder = path.join(root, at);
  const stats = await lstat(folder).catch(() => null);
  if (!stats?.isDirectory()) return null;
  const cache = processWide("fileCopyListings", () => new Map<string, Listing>());
  const cached = cache.get(folder);
  const isNew = isMoved || stats.ctimeMs >= since;
  const listing = cached?.changedAt === stats.ctimeMs && stats.ctimeMs < since ? cached : await list(folder, stats.ctimeMs);
  cache.delete(folder);
  if (cache.size >= maxCached) cache.clear();
  cache.set(folder, listing);
  return { at, listing, isNew, isMoved: isMoved || (at !== "" && stats.ctimeMs >= since && stats.mtimeMs < since) };
}

async function list(folder: string, changedAt: number): Promise<Listing> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const named = (isKind: (entry: (typeof entries)[number]) => boolean) => entries.filter(isKind).map(({ name }) => name);
  return { changedAt, files: named((entry) => entry.isFile()), folders: named((entry) => entry.isDirectory()) };
}

/**
 * Finds the files that a path of a command stands for: a file, the files that fit a glob, and with `isDeep` every file below.
 */
export async function findNamedFiles({ root, isSkipped, maxFiles }: FileSearch, named: string, isDeep: boolean): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], repositories: [], isCut: false };
  const open = /[*?[]/.test(named) ? await globbed(root, named, maxFiles) : [named];
  for (let at = open.pop(); at !== undefined && !found.isCut; at = open.pop()) {
    const stats = await lstat(path.join(root, at)).catch(() => null);
    if (stats?.isFile()) found.files.push({ path: at, stats });
    else if (stats?.isDirectory() && isDeep) {
      if (path.basename(at) === ".git") found.repositories.push(at);
      else if (!isSkipped(at))
        for (const name of await readdir(path.join(root, at)).catch(() => [])) open.push(below(at === "." ? "" : at, name));
    }
    found.isCut = found.files.length > maxFiles;
  }
  return found;
}

async function globbed(root: string, pattern: string, maxFiles: number): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern, { cwd: root })) {
    found.push(file);
    if (found.length > maxFiles) break;
  }
  return found;
}

/** Looks at files side by side; what is no file is left out. */
export async function statsOf(root: string, files: readonly string[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (let first = 0; first < files.length; first += parallel) {
    const some = files.slice(first, first + parallel);
    const stats = await Promise.all(some.map((file) => lstat(path.join(root, file)).catch(() => null)));
    for (const [index, one] of stats.entries()) if (one?.isFile()) found.push({ path: some[index] as string, stats: one });
  }
  return found;
}

const below = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
