import "server-only";
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { AppError } from "@/server/platform/errors";
import type { FilesCapability } from "./files";
import { atPlace, notAFile, OpenFolder, type Place } from "./workspace-path";

/** Largest file that is read or written whole, in bytes. */
export const maxFileBytes = 100 * 1_048_576;
const chunkBytes = 262_144;
const maxDepth = 64;
// A pipe that takes a file's place after it was looked at is opened without waiting for its other end, and then refused.
const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Refuses, by throwing, that a file is replaced. `changedAt`: the file's last change, milliseconds since 1970. */
export type MayReplace = (file: { given: string; relative: string; changedAt: number }) => Promise<void>;

/**
 * The files of one folder, which is created (0700) when it is first used.
 * @param mayReplace asked before a file that is there gets another content; adding to its end is not asked about
 */
export function workspaceFiles(root: string, { mayReplace }: { mayReplace?: MayReplace } = {}): FilesCapability {
  const openForReading = (path: string) => atPlace(root, path, {}, (place) => openFile(place, path, constants.O_RDONLY));

  const writeChunks: FilesCapability["writeChunks"] = (path, chunks, { maxBytes = maxFileBytes } = {}) =>
    atPlace(root, path, { createFolders: true }, async (place) => {
      if (place.stats?.isFile()) await mayReplace?.({ given: path, relative: place.relative, changedAt: place.stats.ctimeMs });
      return replace(place, path, chunks, maxBytes);
    });

  return {
    root,

    async readBytes(path, { maxBytes = maxFileBytes } = {}) {
      const file = await openForReading(path);
      try {
        const { size } = await file.stat();
        const chunks: Uint8Array[] = [];
        let length = 0;
        for await (const chunk of chunksOf(file)) {
          length += chunk.byteLength;
          if (length > maxBytes) throw tooLarge(path, Math.max(size, length), maxBytes);
          chunks.push(chunk);
        }
        return Buffer.concat(chunks);
      } finally {
        await file.close();
      }
    },

    async *readChunks(path) {
      const file = await openForReading(path);
      try {
        yield* chunksOf(file);
      } finally {
        await file.close();
      }
    },

    async writeBytes(path, bytes, { append = false } = {}) {
      if (!append) return writeChunks(path, only(bytes));
      return atPlace(root, path, { createFolders: true }, (place) => appendTo(place, path, bytes));
    },

    writeChunks,

    stat: (path) =>
      atPlace(root, path, {}, async ({ stats }) => {
        if (!stats) throw missing(path);
        if (!stats.isFile() && !stats.isDirectory()) throw notAFile(path);
        return { kind: stats.isFile() ? "file" : "folder", bytes: stats.size, modifiedAt: stats.mtime };
      }),

    async *walk(path, { signal, skipFolders = new Set() }) {
      const start = await atPlace(root, path, {}, async ({ folder, name, relative, stats }) => {
        if (!stats) throw missing(path);
        if (stats.isFile()) return { file: { path: relative, bytes: stats.size } };
        if (!stats.isDirectory()) throw notAFile(path);
        return { folder: await openBelow(folder, name), prefix: relative === "." ? "" : `${relative}/` };
      });
      if (start.file) yield start.file;
      else yield* walkFolder(start.folder, start.prefix, { signal, skipFolders, depth: 0 });
    },
  };
}

async function openFile(place: Place, path: string, flags: number): Promise<FileHandle> {
  if (!place.stats) throw missing(path);
  assertFile(place, path);
  const file = await open(place.folder.at(place.name), flags | safely);
  const stats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  throw notAFile(path);
}

async function replace(place: Place, path: string, chunks: AsyncIterable<Uint8Array>, maxBytes: number) {
  assertFile(place, path);
  const temporary = place.folder.at(`.${randomBytes(9).toString("hex")}.handrail-part`);
  const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | safely, 0o666);
  try {
    let bytesWritten = 0;
    for await (const chunk of chunks) {
      bytesWritten += chunk.byteLength;
      if (bytesWritten > maxBytes) throw tooLarge(path, bytesWritten, maxBytes);
      await file.writeFile(chunk);
    }
    if (place.stats) await file.chmod(place.stats.mode & 0o777);
    await file.sync();
    // A link that appeared under this name meanwhile is replaced, not followed.
    await rename(temporary, place.folder.at(place.name));
    return { created: place.stats === null, bytesWritten };
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

async function appendTo(place: Place, path: string, bytes: Uint8Array) {
  if (!place.stats) return replace(place, path, only(bytes), maxFileBytes);
  const file = await openFile(place, path, constants.O_WRONLY | constants.O_APPEND);
  try {
    const { size } = await file.stat();
    if (size + bytes.byteLength > maxFileBytes) throw tooLarge(path, size + bytes.byteLength, maxFileBytes);
    await file.appendFile(bytes);
    return { created: false, bytesWritten: bytes.byteLength };
  } finally {
    await file.close();
  }
}

async function* walkFolder(
  folder: OpenFolder,
  prefix: string,
  { signal, skipFolders, depth }: { signal: AbortSignal; skipFolders: ReadonlySet<string>; depth: number },
): AsyncIterable<{ path: string; bytes: number }> {
  try {
    const entries = await readdir(folder.at("."), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      signal.throwIfAborted();
      if (entry.isFile()) {
        const stats = await lstat(folder.at(entry.name)).catch(() => null);
        if (stats?.isFile()) yield { path: prefix + entry.name, bytes: stats.size };
      } else if (entry.isDirectory() && !skipFolders.has(entry.name) && depth < maxDepth) {
        // What was removed, swapped or locked while we walk is left out like everything that is not there.
        const inner = await openBelow(folder, entry.name).catch(() => null);
        if (inner) yield* walkFolder(inner, `${prefix}${entry.name}/`, { signal, skipFolders, depth: depth + 1 });
      }
    }
  } finally {
    await folder.handle.close();
  }
}

async function openBelow(folder: OpenFolder, name: string): Promise<OpenFolder> {
  const handle = await open(folder.at(name), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return new OpenFolder(handle, name === "." ? folder.path : `${folder.path}/${name}`);
}

async function* chunksOf(file: FileHandle): AsyncIterable<Uint8Array> {
  while (true) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

function assertFile({ stats }: Place, path: string): void {
  if (stats?.isDirectory()) throw new AppError("invalid", `${path} is a folder. Name a file in it.`);
  if (stats && !stats.isFile()) throw notAFile(path);
}

function missing(path: string): AppError {
  return new AppError("not_found", `There is no ${path} in the workspace. search_files with target "name" finds what there is.`);
}

function tooLarge(path: string, bytes: number, maxBytes: number): AppError {
  const [is, may] = [bytes, maxBytes].map((count) => count.toLocaleString("en"));
  return new AppError("too_large", `${path} is too large: ${is} bytes, and at most ${may} are handled at once. Work on a smaller part.`);
}
