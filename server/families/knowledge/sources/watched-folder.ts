import "server-only";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, opendir, realpath } from "node:fs/promises";
import path from "node:path";
import { and, eq, isNotNull } from "drizzle-orm";
import { maxSourceBytes } from "@/contracts/knowledge/knowledge-sources";
import { knowledgeBases, knowledgeSources } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { isWithin, kernelFolders, ownPaths } from "@/server/capabilities/sandbox/protected-paths";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { type BaseRow, lockBase } from "../bases/base-rows";
import { addSource, removeSource } from "./add-source";

const maxFiles = 5_000;
const maxDepth = 12;
const by = { actor: systemActor };

/**
 * Checks that a folder of the machine may be watched: absolute, a folder, no link, not Handrail's own and not the kernel's.
 * @throws AppError `invalid`
 */
export async function assertWatchable(folder: string): Promise<void> {
  const refuse = (message: string): never => {
    throw new AppError("invalid", `watchedFolder ${message}`, { errors: [{ path: "watchedFolder", message }] });
  };
  if (!path.isAbsolute(folder) || path.normalize(folder) !== folder || folder === path.parse(folder).root) {
    refuse("must be the absolute path of a folder, without .. and without a slash at its end, and not the whole machine");
  }
  const found = await lstat(folder).catch(() => null);
  if (!found?.isDirectory()) return refuse("is not a folder of Handrail's machine");
  const real = await realpath(folder);
  if (real !== folder) refuse(`leads elsewhere by a link: name ${real} itself`);
  if (kernelFolders.some((one) => isWithin(real, one)))
    refuse("is a folder of the system's kernel, which holds no documents. Name another folder.");
  if (ownPaths().some((one) => isWithin(one, real) || isWithin(real, one))) refuse("holds Handrail's own files. Name another folder.");
}

/** Looks at every watched folder: new and changed files are read, files that are gone leave. Run every minute by one replica. */
export async function lookAtFolders(): Promise<void> {
  const watching = await db().select().from(knowledgeBases).where(isNotNull(knowledgeBases.watchedFolder)).limit(200);
  for (const base of watching) {
    const fault = await lookAtFolder(base).catch((error: unknown) => (isAppError(error) ? error.message : toErrorMessage(error)));
    if (fault === base.folderFault) continue;
    if (fault) log().warn({ base: base.id, fault }, "a watched folder could not be read");
    await db().update(knowledgeBases).set({ folderFault: fault }).where(eq(knowledgeBases.id, base.id));
  }
}

/** @returns what could not be read; null when all was */
export async function lookAtFolder(base: BaseRow): Promise<string | null> {
  const folder = base.watchedFolder;
  if (folder === null) return null;
  await assertWatchable(folder);
  const isOfFolder = and(eq(knowledgeSources.baseId, base.id), eq(knowledgeSources.kind, "folder"));
  const known = new Map((await db().select().from(knowledgeSources).where(isOfFolder)).map((row) => [row.name, row]));
  const faults: string[] = [];
  const seen = new Set<string>();
  let isCut = false;
  const tooDeep = (inner: string) => faults.push(`${inner} is more than ${maxDepth} folders deep and is left out.`);
  for await (const file of filesOf(folder, { tooDeep })) {
    if (seen.size >= maxFiles) {
      faults.push(`The folder has more than ${maxFiles} files; the others are left out, and none is taken for removed.`);
      isCut = true;
      break;
    }
    const name = file.split(path.sep).join("/");
    seen.add(name);
    try {
      const given = await readUnchanging(path.join(folder, file), known.get(name)?.signature ?? null);
      if (given) await addSource(base, { name, kind: "folder", origin: path.join(folder, file), ...given }, by);
    } catch (error) {
      if (!isAppError(error)) throw error;
      faults.push(error.message);
    }
  }
  const gone = isCut ? [] : [...known.values()].filter(({ name }) => !seen.has(name));
  for (const source of gone) await db().transaction(async (tx) => removeSource(tx, await lockBase(tx, base.id), source, by));
  return faults.slice(0, 5).join(" ") || null;
}

/** Files of a folder by name, without hidden ones; links are not followed. */
async function* filesOf(root: string, { tooDeep }: { tooDeep: (inner: string) => void }, inner = "", depth = 0): AsyncGenerator<string> {
  if (depth > maxDepth) return tooDeep(inner);
  for await (const entry of await opendir(path.join(root, inner))) {
    if (entry.name.startsWith(".")) continue;
    const name = path.join(inner, entry.name);
    if (entry.isDirectory()) yield* filesOf(root, { tooDeep }, name, depth + 1);
    else if (entry.isFile()) yield name;
  }
}

/**
 * Reads a file that has changed since. A file that changes while it is read is left for the next look.
 * @returns null for a file that was read since its last change
 */
async function readUnchanging(file: string, known: string | null): Promise<{ bytes: Uint8Array; signature: string } | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw new AppError("invalid", `${path.basename(file)} cannot be read (${error.code}).`);
    },
  );
  try {
    const before = await handle.stat();
    if (!before.isFile()) return null;
    const signature = signatureOf(before);
    if (signature === known) return null;
    if (before.size > maxSourceBytes) throw new AppError("too_large", `${path.basename(file)} is larger than 64 MiB.`);
    const bytes = await readBytes(handle, before.size);
    return bytes.byteLength === before.size && signatureOf(await handle.stat()) === signature ? { bytes, signature } : null;
  } finally {
    await handle.close();
  }
}

const signatureOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => [ino, size, mtimeMs, ctimeMs].join(":");

async function readBytes(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
