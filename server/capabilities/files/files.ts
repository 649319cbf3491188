import type { Found, FoundFile, FoundLine, SearchQuery, Unsearched } from "../search/search-folder";

/** The content of a file after a change; `bytes` null deletes the file. */
export type FileContent = {
  path: string;
  bytes: Uint8Array | null;
  isNew?: boolean;
  /** Permissions of a file that does not exist yet. */
  mode?: number;
  /** Id of the recorded change that this change undoes. */
  restores?: string;
};

/**
 * Text and bytes of one workspace folder. Paths are relative to the folder; a path that leaves the folder is refused. In a
 * call, `artifact:<id>` is a path, too, that can only be read.
 */
export type FilesCapability = {
  /** Absolute path of the folder, for tools that hand it to a process. */
  root: string;
  /** Reads the whole file. @throws AppError `too_large` above `maxBytes` (default: 100 MiB). */
  readBytes(path: string, options?: { maxBytes?: number }): Promise<Uint8Array>;
  /**
   * Reads the file in chunks from the byte `start` (default: 0), so that a huge file never fills the memory.
   * @param options `isTransient`: each chunk is valid until the next one, which is faster because memory is used again
   */
  readChunks(path: string, options?: { start?: number; isTransient?: boolean }): AsyncIterable<Uint8Array>;
  /**
   * Replaces the file atomically (readers see the old or the new content), or appends to it. Missing folders are created.
   * @returns `note`: what the new text changed elsewhere, for a file that is made from rows
   * @throws AppError `too_large` when the file would have more than 100 MiB.
   */
  writeBytes(
    path: string,
    bytes: Uint8Array,
    options?: { append?: boolean; isEdit?: boolean },
  ): Promise<{ created: boolean; bytesWritten: number; note?: string }>;
  /** Does what `writeBytes` does, from chunks that arrive over time. When the chunks break off, the file keeps its old content. */
  writeChunks(
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    options?: { maxBytes?: number },
  ): Promise<{ created: boolean; bytesWritten: number }>;
  /**
   * Changes several files together: all of them, or none when one of them cannot be changed. Missing folders are created.
   * @throws AppError `conflict` for a file that `isNew` and exists
   */
  changeFiles(changes: readonly FileContent[]): Promise<void>;
  /**
   * `path` is the real path relative to the folder, behind every link; `name` is the file's own name, also of an artifact;
   * `version` changes with the file.
   */
  stat(path: string): Promise<{ kind: "file" | "folder"; bytes: number; modifiedAt: Date; path: string; name: string; version: string }>;
  /** Returns matching lines of text files. Sensitive files are searched only when the query names them. */
  searchLines(query: SearchQuery & { contextLines: number }): Promise<Found<FoundLine>>;
  /** Returns text files with a match; with `counts`, also the number of matching lines of each file. */
  searchFiles(query: SearchQuery & { counts: boolean }): Promise<Found<FoundFile>>;
  /** Returns the files whose contents such a search does not read. */
  findUnsearched(query: SearchQuery): Promise<Unsearched>;
  /** Returns files whose relative path matches. */
  searchNames(query: SearchQuery): Promise<Found<FoundFile>>;
};
