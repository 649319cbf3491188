import "server-only";
import { createReadStream } from "node:fs";
import {
  chmod,
  constants,
  type FileHandle,
  lutimes,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
} from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { StartError } from "@/db/start-error";
import type { Contents } from "./contents";
import { inParallel } from "./in-parallel";

/** A path relative to the tree, in base64 because a name of a file need not be UTF-8. */
const Path = z.base64().refine((text) => isInside(Buffer.from(text, "base64")), "must lead to a place in the tree");

/** An entry of a folder's listing in a backup: one JSON text a line. */
const Entry = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("folder"), path: Path, mode: z.int(), changedMs: z.number() }),
  z.strictObject({ kind: z.literal("file"), path: Path, mode: z.int(), changedMs: z.number(), sha256: z.string(), bytes: z.int() }),
  z.strictObject({ kind: z.literal("link"), path: Path, target: z.base64(), changedMs: z.number() }),
]);
type Entry = z.infer<typeof Entry>;

const slash = Buffer.from("/");
/** Without setuid and setgid: a restore as root would make a program of an agent one of root. */
const modeBits = 0o777;
const partialFolder = ".restore-unfinished";

const join = (folder: Buffer, name: Buffer): Buffer => (folder.length === 0 ? name : Buffer.concat([folder, slash, name]));

function isInside(relative: Buffer): boolean {
  const names = relative.toString("latin1").split("/");
  return names.every((name) => name !== "" && name !== "." && name !== ".." && !name.includes("\0"));
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

export type Skipped = { path: string; reason: string };

/**
 * Stores the contents of a folder, which may change meanwhile, and yields a line for each entry. A file that vanishes is
 * left out; one that cannot be read, and anything but files, folders and links, is told to `skip`.
 */
export async function* listTree(root: string, contents: Contents, skip: (skipped: Skipped) => void): AsyncGenerator<string> {
  const base = await realpath(root, { encoding: "buffer" }).catch(() => Buffer.from(root));
  const skipped = (relative: Buffer, reason: string) => skip({ path: path.join(root, relative.toString()), reason });

  async function* walk(folder: Buffer): AsyncGenerator<Buffer> {
    let names: Buffer[];
    try {
      names = await readdir(folder.length === 0 ? base : join(base, folder), { encoding: "buffer" });
    } catch (error) {
      if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") skipped(folder, codeOf(error));
      return;
    }
    for (const name of names) {
      if (folder.length === 0 && name.toString() === partialFolder) continue;
      yield join(folder, name);
    }
  }

  const pending: Buffer[] = [Buffer.alloc(0)];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for await (const entry of inParallel(walk(folder), (relative) => readEntry(base, relative, contents))) {
      if ("reason" in entry) skipped(entry.relative, entry.reason);
      else {
        if (entry.kind === "folder") pending.push(Buffer.from(entry.path, "base64"));
        yield `${JSON.stringify(entry)}\n`;
      }
    }
  }
}

async function readEntry(base: Buffer, relative: Buffer, contents: Contents): Promise<Entry | { relative: Buffer; reason: string }> {
  const place = join(base, relative);
  const named = { path: relative.toString("base64") };
  let file: FileHandle | null = null;
  try {
    // Not a stat and then an open: a program of an agent could put a link or a pipe there in between.
    file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await isAt(file, place))) return { relative, reason: "moved while it was read" };
    const stats = await file.stat();
    const common = { ...named, mode: stats.mode & modeBits, changedMs: stats.mtimeMs };
    if (stats.isDirectory()) return { kind: "folder", ...common };
    if (!stats.isFile()) return { relative, reason: "neither a file, a folder nor a link" };
    const stored = await contents.add(file.createReadStream({ autoClose: false }));
    return { kind: "file", ...common, ...stored };
  } catch (error) {
    if (contents.signal.aborted || codeOf(error) === "ENOSPC") throw error;
    const reason = codeOf(error) || String(error);
    if (reason !== "ELOOP") return { relative, reason };
    const target = await readlink(place, { encoding: "buffer" }).catch(() => null);
    return target ? { kind: "link", ...named, target: target.toString("base64"), changedMs: 0 } : { relative, reason: "ENOENT" };
  } finally {
    await file?.close();
  }
}

/** Returns false when a folder above was replaced by a link meanwhile, which would lead out of the tree. */
async function isAt(file: FileHandle, place: Buffer): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const real = await readlink(`/proc/self/fd/${file.fd}`, { encoding: "buffer" });
  return real.equals(place);
}

/** @throws StartError when the folder has entries, which a restore would mix with the backup's */
export async function assertEmptyTree(root: string, variable: string): Promise<void> {
  const names = (await readdir(root).catch(() => [])).filter((name) => name !== partialFolder);
  if (names.length === 0) return;
  throw new StartError(
    `${root} is not empty (${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}): move its content away, or name another folder with ${variable}.`,
  );
}

/** Restores a listing into a folder of its own below the root, so that an interrupted restore is not taken for the content. */
export async function stageTree(listing: string, root: string, contents: Contents): Promise<void> {
  const staged = Buffer.from(path.join(root, partialFolder));
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged, { recursive: true, mode: 0o700 });
  const folders: Extract<Entry, { kind: "folder" }>[] = [];
  const links: Extract<Entry, { kind: "link" }>[] = [];
  const at = ({ path: relative }: Entry) => join(staged, Buffer.from(relative, "base64"));

  for await (const _ of inParallel(readListing(listing), async (entry) => {
    if (entry.kind === "link") links.push(entry);
    else if (entry.kind === "folder") {
      folders.push(entry);
      await mkdir(at(entry), { recursive: true, mode: 0o700 });
    } else {
      await mkdir(parentOf(at(entry)), { recursive: true, mode: 0o700 });
      await contents.copyTo(entry.sha256, at(entry));
      await chmod(at(entry), entry.mode & modeBits);
      await utimes(at(entry), entry.changedMs / 1_000, entry.changedMs / 1_000);
    }
  }));
  // After all files, so that none is written through a link.
  for (const entry of links) {
    await mkdir(parentOf(at(entry)), { recursive: true, mode: 0o700 });
    await symlink(Buffer.from(entry.target, "base64"), at(entry));
    if (entry.changedMs > 0) await lutimes(at(entry), entry.changedMs / 1_000, entry.changedMs / 1_000);
  }
  // Deepest first, because a folder that may not be written to takes no more entries.
  for (const entry of folders.sort((one, other) => at(other).length - at(one).length)) {
    await chmod(at(entry), entry.mode & modeBits);
    await utimes(at(entry), entry.changedMs / 1_000, entry.changedMs / 1_000);
  }
}

/** Moves a staged tree to its place. */
export async function unstageTree(root: string): Promise<void> {
  const staged = Buffer.from(path.join(root, partialFolder));
  for (const name of await readdir(staged, { encoding: "buffer" })) await rename(join(staged, name), join(Buffer.from(root), name));
  await rm(staged, { recursive: true });
}

export const removeStagedTree = (root: string): Promise<void> => rm(path.join(root, partialFolder), { recursive: true, force: true });

const parentOf = (place: Buffer): Buffer => place.subarray(0, place.lastIndexOf(slash));

async function* readListing(file: string): AsyncGenerator<Entry> {
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY })) {
    yield Entry.parse(JSON.parse(line));
  }
}
