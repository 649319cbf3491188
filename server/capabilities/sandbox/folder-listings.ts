import "server-only";
import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { processWide } from "@/server/platform/process-wide";

export type FileKind = "sensitive" | "runs_by_itself" | "sensitive_and_runs_by_itself" | null;

/** Returns whether programs may not see a file of this kind. */
export const isSensitiveKind = (kind: FileKind): boolean => kind === "sensitive" || kind === "sensitive_and_runs_by_itself";

/** Decides the kind of a file or folder by its path, relative to the conversation's folder. */
export type Classify = (relativePath: string) => FileKind;

/** One folder: the entries that matter, and the number of all entries. */
export type FolderListing = {
  entries: number;
  kinds: readonly { name: string; kind: Exclude<FileKind, null> }[];
  links: readonly { name: string; kind: FileKind }[];
  /** Folders without a kind. */
  folders: readonly string[];
  /** Whether the folder is a repository's `.git`. */
  isGitFolder: boolean;
};

type Cached = { version: string; listing: FolderListing };

const maxCached = 100_000;
/** A file system may give two changes the same time, so a listing of a folder that changed just now is not kept. */
const settledAfterMs = 2_000;

/**
 * Lists a folder, from the cache when nothing was added, removed or renamed in it since. The cache compares the time of
 * the folder's last change, which programs cannot set.
 * @param named the folder's path for the classification, which differs from `file` behind a link
 * @returns "gone" for a folder that does not exist, "closed" for one that we may not read
 */
export async function listFolder(file: string, named: string, classify: Classify): Promise<FolderListing | "gone" | "closed"> {
  const key = `${file}\0${named}`;
  const cache = cacheOf(classify);
  try {
    const stats = await lstat(file, { bigint: true });
    const version = versionOf(stats);
    const cached = cache.get(key);
    if (cached?.version === version) return cached.listing;
    const isSettled = Date.now() - Number(stats.ctimeMs) > settledAfterMs;
    const listing = await readListing(file, named, classify);
    cache.delete(key);
    if (isSettled) keep(cache, key, { version, listing });
    return listing;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "gone" : "closed";
  }
}

async function readListing(file: string, named: string, classify: Classify): Promise<FolderListing> {
  const entries = await readdir(file, { withFileTypes: true });
  const kinds: FolderListing["kinds"][number][] = [];
  const links: FolderListing["links"][number][] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const kind = classify(named === "" ? name : `${named}/${name}`);
    if (entry.isSymbolicLink()) links.push({ name, kind });
    else if (kind) kinds.push({ name, kind });
    else if (entry.isDirectory()) folders.push(name);
    // A file named `.git` says where the repository lies, and so whose hooks git runs.
    else if (name === ".git") kinds.push({ name, kind: "runs_by_itself" });
  }
  const isGitFolder = path.basename(named) === ".git" && entries.some(({ name }) => name === "HEAD");
  return { entries: entries.length, kinds, links, folders, isGitFolder };
}

const versionOf = ({ dev, ino, ctimeNs }: BigIntStats) => `${dev} ${ino} ${ctimeNs}`;

/** Classifications change with the policy, so each policy has its own cache, which ends with the policy. */
function cacheOf(classify: Classify): Map<string, Cached> {
  const caches = processWide("folderListings", () => new WeakMap<Classify, Map<string, Cached>>());
  const cache = caches.get(classify) ?? new Map<string, Cached>();
  caches.set(classify, cache);
  return cache;
}

function keep(cache: Map<string, Cached>, key: string, cached: Cached): void {
  const [oldest] = cache.size < maxCached ? [] : cache.keys();
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(key, cached);
}
