/** Text and bytes of one workspace folder. Paths are relative to it; what would leave it is refused. */
export type FilesCapability = {
  /** Absolute path of the folder, for tools that hand it to a process. */
  root: string;
  readBytes(path: string, options?: { maxBytes?: number }): Promise<Uint8Array>;
  writeBytes(path: string, bytes: Uint8Array, options?: { append?: boolean }): Promise<{ created: boolean; bytesWritten: number }>;
  stat(path: string): Promise<{ kind: "file" | "folder"; bytes: number; modifiedAt: Date }>;
  /** Walks files below a folder in name order, without following links out of the workspace. */
  walk(path: string, options: { signal: AbortSignal }): AsyncIterable<{ path: string; bytes: number }>;
};
