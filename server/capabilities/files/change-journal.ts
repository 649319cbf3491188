import "server-only";
import { constants } from "node:fs";
import { sha256 } from "@/server/platform/crypto";
import type { Place } from "../workspace-path";
import { type OpenedFile, openFile } from "./open-file";

/** The largest content of a file that a journal keeps, in bytes. */
export const maxKeptBytes = 20 * 1_048_576;

/** A file at one moment. `sha256` and `content` are null for a file that is too large to be kept. */
export type FileState = { bytes: number; mode: number; sha256: string | null; content: Uint8Array | null };

/** A change of one file that is about to happen; null where the file does not exist before or after. */
export type PlannedChange = {
  /** Real path relative to the workspace folder. */
  path: string;
  before: FileState | null;
  after: Omit<FileState, "mode"> | null;
  /** Id of the recorded change that this change undoes. */
  restores?: string;
};

/** Keeps old contents before files are changed. The returned function forgets them again, for changes that failed. */
export type RecordChanges = (changes: readonly PlannedChange[]) => Promise<() => Promise<void>>;

/** Reads the state of a file, the content of small files included; null when the file does not exist. */
export async function fileStateAt(place: Place, path: string): Promise<FileState | null> {
  if (!place.stats) return null;
  const file = await openFile(place, path, constants.O_RDONLY);
  try {
    const { size, mode } = await file.stat();
    const content = size > maxKeptBytes ? null : await wholeOf(file, size);
    return { bytes: size, mode: mode & 0o777, sha256: content && sha256(content), content };
  } finally {
    await file.close();
  }
}

/** Runs a change whose old contents are recorded first, because a crash between the two must not lose them. */
export async function recorded<T>(
  record: RecordChanges | undefined,
  changes: readonly PlannedChange[],
  change: () => Promise<T>,
): Promise<T> {
  const forget = await record?.(changes);
  try {
    return await change();
  } catch (error) {
    await forget?.();
    throw error;
  }
}

async function wholeOf(file: OpenedFile, size: number): Promise<Uint8Array> {
  const content = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(content, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return content.subarray(0, length);
}
