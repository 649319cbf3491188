import "server-only";
import { constants } from "node:fs";
import { rename, unlink } from "node:fs/promises";
import { posix } from "node:path";
import { sha256 } from "@/server/platform/crypto";
import { findUnsearched, type SearchedFolder, type SearchQuery, searchFiles, searchLines, searchNames } from "../search/search-folder";
import { atPlace, notAFile, type Place } from "../workspace-path";
import { changeFiles } from "./change-files";
import { fileStateAt, type PlannedChange, type RecordChanges, recorded } from "./change-journal";
import type { FilesCapability } from "./files";
import type { MayReplace } from "./may-replace";
import { missing, type OpenedFile, openFile } from "./open-file";
import { maxShownBytes, stageFile, tooLarge } from "./stage-file";

/** The largest file that is read or written whole, in bytes. */
export const maxFileBytes = 100 * 1_048_576;
const chunkBytes = 262_144;
const largeChunkBytes = 1_048_576;

/**
 * Creates the capability for one folder, which is created (0700) at its first use.
 * @param isSensitive files that a content search omits unless the query names them
 * @param mayReplace is called before an existing file gets new content, but not before an append
 * @param record keeps what each change replaces
 */
export function workspaceFiles(
  root: string,
  {
    mayReplace,
    record,
    isSensitive = () => false,
  }: { mayReplace?: MayReplace; record?: RecordChanges; isSensitive?: (relativePath: string) => boolean } = {},
): FilesCapability {
  const openForReading = (path: string) => atPlace(root, path, {}, (place) => openFile(place, path, constants.O_RDONLY));

  type Written = { maxBytes?: number; isEdit?: boolean };
  const write = (path: string, chunks: AsyncIterable<Uint8Array>, { maxBytes = maxFileBytes, isEdit = false }: Written = {}) =>
    atPlace(root, path, { createFolders: true }, async (place) => {
      if (place.stats?.isFile()) await mayReplace?.({ given: path, relative: place.relative, changedAt: place.stats.ctimeMs, isEdit });
      return replace(place, path, chunks, { maxBytes, record });
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

    async *readChunks(path, { start = 0, isTransient = false } = {}) {
      const file = await openForReading(path);
      try {
        yield* chunksOf(file, { start, isTransient });
      } finally {
        await file.close();
      }
    },

    async writeBytes(path, bytes, { append = false, isEdit = false } = {}) {
      if (!append) return write(path, only(bytes), { isEdit });
      return atPlace(root, path, { createFolders: true }, (place) => appendTo(place, path, bytes, record));
    },

    writeChunks: (path, chunks, { maxBytes } = {}) => write(path, chunks, maxBytes === undefined ? {} : { maxBytes }),

    changeFiles: (changes) => changeFiles(root, changes, { mayReplace, record }),

    stat: (path) =>
      atPlace(root, path, {}, async ({ stats, relative }) => {
        if (!stats) throw missing(path);
        if (!stats.isFile() && !stats.isDirectory()) throw notAFile(path);
        const version = `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
        return {
          kind: stats.isFile() ? "file" : "folder",
          bytes: stats.size,
          modifiedAt: stats.mtime,
          path: relative,
          name: posix.basename(path),
          version,
        };
      }),

    searchLines: async (query) => searchLines(...(await searched(query))),
    searchFiles: async (query) => searchFiles(...(await searched(query))),
    findUnsearched: async (query) => findUnsearched(...(await searched(query))),
    searchNames: async (query) => searchNames(...(await searched(query))),
  };
}

type Replaced = { maxBytes: number; record: RecordChanges | undefined };

async function replace(place: Place, path: string, chunks: AsyncIterable<Uint8Array>, { maxBytes, record }: Replaced) {
  const staged = await stageFile(place, path, chunks, { maxBytes });
  const { temporary, bytesWritten } = staged;
  try {
    const after = { bytes: bytesWritten, sha256: staged.sha256, content: staged.content };
    const changes: PlannedChange[] = record ? [{ path: place.relative, before: await fileStateAt(place, path), after }] : [];
    // `rename` replaces a link that appeared under this name meanwhile; it does not follow the link.
    await recorded(record, changes, () => rename(temporary, place.folder.at(place.name)));
    return { created: place.stats === null, bytesWritten };
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

async function appendTo(place: Place, path: string, bytes: Uint8Array, record: RecordChanges | undefined) {
  if (!place.stats) return replace(place, path, only(bytes), { maxBytes: maxFileBytes, record });
  const file = await openFile(place, path, constants.O_WRONLY | constants.O_APPEND);
  try {
    const { size } = await file.stat();
    if (size + bytes.byteLength > maxFileBytes) throw tooLarge(path, size + bytes.byteLength, maxFileBytes);
    const changes = record ? [await plannedAppend(place, path, bytes)] : [];
    await recorded(record, changes, () => file.appendFile(bytes));
    return { created: false, bytesWritten: bytes.byteLength };
  } finally {
    await file.close();
  }
}

async function plannedAppend(place: Place, path: string, added: Uint8Array): Promise<PlannedChange> {
  const before = await fileStateAt(place, path);
  const length = (before?.bytes ?? 0) + added.byteLength;
  const whole = before?.content && Buffer.concat([before.content, added]);
  const content = whole && length <= maxShownBytes ? whole : null;
  return { path: place.relative, before, after: { bytes: length, sha256: whole ? sha256(whole) : null, content } };
}

type Reading = { start?: number; isTransient?: boolean };

async function* chunksOf(file: OpenedFile, { start = 0, isTransient = false }: Reading = {}): AsyncIterable<Uint8Array> {
  let position = start;
  let size = chunkBytes;
  let memory = Buffer.allocUnsafe(size);
  while (true) {
    const { bytesRead } = await file.read(memory, 0, size, position);
    if (bytesRead === 0) return;
    yield memory.subarray(0, bytesRead);
    position += bytesRead;
    // A longer file is read in larger pieces, because each read costs a trip through the thread pool.
    const isGrowing = bytesRead === size && size < largeChunkBytes;
    if (isGrowing) size = largeChunkBytes;
    if (isGrowing || !isTransient) memory = Buffer.allocUnsafe(size);
  }
}

async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
