/** Text and bytes of one workspace folder. Paths are relative to it; what would leave it is refused. */
export type FilesCapability = {
  /** Absolute path of the folder, for tools that hand it to a process. */
  root: string;
  /** The whole file. @throws AppError `too_large` above `maxBytes` (100 MiB when not said). */
  readBytes(path: string, options?: { maxBytes?: number }): Promise<Uint8Array>;
  /** The file from its beginning, in pieces, so that a huge one never stands in memory. */
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /**
   * Replaces the file at once (other readers see the old or the new one), or appends to it. Missing folders are made.
   * @throws AppError `too_large` when the file would have more than 100 MiB.
   */
  writeBytes(path: string, bytes: Uint8Array, options?: { append?: boolean }): Promise<{ created: boolean; bytesWritten: number }>;
  /** Like `writeBytes`, from pieces that arrive over time. When they break off, the file is left as it was. */
  writeChunks(
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    options?: { maxBytes?: number },
  ): Promise<{ created: boolean; bytesWritten: number }>;
  stat(path: string): Promise<{ kind: "file" | "folder"; bytes: number; modifiedAt: Date }>;
  /**
   * Walks the files below a folder in name order; for a file, that file. Links are not followed, so the walk ends.
   * Folders whose name is in `skipFolders` are left out, and so is what lies more than 64 folders deep.
   */
  walk(path: string, options: { signal: AbortSignal; skipFolders?: ReadonlySet<string> }): AsyncIterable<{ path: string; bytes: number }>;
};
