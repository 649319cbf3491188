import { AppError } from "@/server/platform/errors";

/** Bytes by their SHA-256: the same bytes are stored once, and a name can never lead out of the store. */
export type Blobs = {
  /**
   * Returns when the bytes are safe: they survive a crash of ours from then on.
   * @throws AppError `unavailable` when a remote store does not take them; Error when a disk does not.
   */
  put(bytes: Uint8Array): Promise<{ sha256: string; bytes: number }>;
  /** @throws AppError `not_found` when there is no such blob, `unavailable` when a remote store does not answer. */
  read(sha256: string): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number }>;
  /** Whether it can be used now: "ok", or a sentence for the operator. Never throws. */
  check(): Promise<string>;
};

/** Place of a blob in a store, two levels deep so that no folder grows without bound. @throws Error for what is no SHA-256. */
export function placeOf(hash: string): [string, string, string] {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error("a blob's name is the SHA-256 of its bytes");
  return [hash.slice(0, 2), hash.slice(2, 4), hash];
}

export function noSuchBlob(cause?: unknown): AppError {
  const sentence = "These bytes are not in the blob store any more. Make them again, or restore the store from its backup.";
  return new AppError("not_found", sentence, { cause });
}
