import "server-only";
import { constants } from "node:fs";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { AppError } from "@/server/platform/errors";
import { promptHint } from "@/server/platform/prompt-hints";
import { changeFiles } from "./change-files";
import type { FilesCapability } from "./files";
import type { MayReplace } from "./may-replace";
import { type SearchedFolder, type SearchQuery, searchFiles, searchLines, searchNames } from "./search/search-folder";
import { assertFile, safely, stageFile, tooLarge } from "./stage-file";
import { atPlace, notAFile, type Place } from "./workspace-path";

/** The largest file that is read or written whole, in bytes. */
export const maxFileBytes = 100 * 1_048_576;
const chunkBytes = 262_144;

/**
 * Creates the capability for one folder, which is created (0700) at its first use.
 * @param isSensitive files that a content search omits unless the query names them
 * @param mayReplace is called before an existing file gets new content, but not before an append
 */
export function workspaceFiles(
  root: string,
  { mayReplace, isSensitive = () => false }: { mayReplace?: MayReplace; isSensitive?: (relativePath: string) => boolean } = {},
): FilesCapability {
  const openForReading = (path: string) => atPlace(root, path, {}, (place) => openFile(place, path, constants.O_RDONLY));

  type Written = { maxBytes?: number; isEdit?: boolean };
  const write = (path: string, chunks: AsyncIterable<Uint8Array>, { maxBytes = maxFileBytes, isEdit = false }: Written = {}) =>
    atPlace(root, path, { createFolders: true }, async (place) => {
      if (place.stats?.isFile()) await mayReplace?.({ given: path, relative: place.relative, changedAt: place.stats.ctimeMs, isEdit });
      return replace(place, path, chunks, maxBytes);
    });

  const readRange: SearchedFolder["readRange"] = async (path, start, length) => {
    const file = await openForReading(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, start);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  };

  /** Converts the folder and the query for the search: the path becomes real, and lies inside the folder. */
  const searched = async <Q extends SearchQuery>(query: Q): Promise<[SearchedFolder, Q]> => {
    const folder = await atPlace(root, ".", {}, async ({ folder }) => folder.path);
    return atPlace(root, query.path, {}, async ({ relative, stats }) => {
      if (!stats) throw missing(query.path);
      if (!stats.isFile() && !stats.isDirectory()) throw notAFile(query.path);
      const isHidden = stats.isFile() ? () => false : isSensitive;
      return [
        { folder, isHidden, readRange },
        { ...query, path: relative },
      ];
    });
  };

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

    async writeBytes(path, bytes, { append = false, isEdit = false } = {}) {
      if (!append) return write(path, only(bytes), { isEdit });
      return atPlace(root, path, { createFolders: true }, (place) => appendTo(place, path, bytes));
    },

    writeChunks: (path, chunks, { maxBytes } = {}) => write(path, chunks, maxBytes === undefined ? {} : { maxBytes }),

    changeFiles: (changes) => changeFiles(root, changes, mayReplace),

    stat: (path) =>
      atPlace(root, path, {}, async ({ stats, relative }) => {
        if (!stats) throw missing(path);
        if (!stats.isFile() && !stats.isDirectory()) throw notAFile(path);
        return { kind: stats.isFile() ? "file" : "folder", bytes: stats.size, modifiedAt: stats.mtime, path: relative };
      }),

    searchLines: async (query) => searchLines(...(await searched(query))),
    searchFiles: async (query) => searchFiles(...(await searched(query))),
    searchNames: async (query) => searchNames(...(await searched(query))),
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
  const { temporary, bytesWritten } = await stageFile(place, path, chunks, maxBytes);
  try {
    // `rename` replaces a link that appeared under this name meanwhile; it does not follow the link.
    await rename(temporary, place.folder.at(place.name));
    return { created: place.stats === null, bytesWritten };
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
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

function missing(path: string): AppError {
  return new AppError("not_found", `There is no ${path} in the workspace. ${promptHint("missing_file")}`.trimEnd());
}
