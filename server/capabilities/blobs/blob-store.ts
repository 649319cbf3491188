import { AppError } from "@/server/platform/errors";

/** Bytes addressed by their SHA-256: equal bytes are stored once, and a path built from a hash cannot leave the store. */
export type Blobs = {
  /**
   * Returns when the bytes are durable: they survive a crash of our process.
   * @throws AppError `unavailable` when a remote store does not take them; Error when a disk does not.
   */
  put(bytes: Uint8Array): Promise<{ sha256: string; bytes: number }>;
  /** @throws AppError `not_found` when the blob does not exist, `unavailable` when a remote store does not answer. */
  read(sha256: string): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number }>;
  /** Deletes a blob that nothing names any more; a missing blob is no error. @throws AppError `unavailable`; Error. */
  remove(sha256: string): Promise<void>;
  /** Checks whether the store is usable now: "ok", or a sentence for the operator. Never throws. */
  check(): Promise<string>;
};

/** Returns the path of a blob, two levels deep so that no folder grows without bound. @throws Error when `hash` is no SHA-256. */
export function blobPath(hash: string): [string, string, string] {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error("a blob's name is the SHA-256 of its bytes");
  return [hash.slice(0, 2), hash.slice(2, 4), hash];
}

export function noSuchBlob(cause?: unknown): AppError {
  const sentence = "These bytes are not in the blob store any more. Make them again, or restore the store from its backup.";
  return new AppError("not_found", sentence, { cause });
}
