import "server-only";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";

/** Bytes by their SHA-256: the same bytes are stored once, and a name can never lead out of the store. */
export type Blobs = {
  put(bytes: Uint8Array): Promise<{ sha256: string; bytes: number }>;
  /** @throws Error when there is no such blob. */
  read(sha256: string): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number }>;
};

/** A blob store in a folder, two levels deep so that no folder grows without bound. */
export function localBlobs(folder: string): Blobs {
  const placeOf = (hash: string) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error("a blob's name is the SHA-256 of its bytes");
    return path.join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  };
  return {
    async put(bytes) {
      const hash = sha256(bytes);
      const place = placeOf(hash);
      // A file of another size is one that a full disk or a crash of the machine cut off.
      if ((await sizeOf(place)) === bytes.byteLength) return { sha256: hash, bytes: bytes.byteLength };
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      const unfinished = `${place}.${newId()}`;
      const file = await open(/* turbopackIgnore: true */ unfinished, "wx", 0o600);
      try {
        await file.writeFile(bytes);
        // The row that names these bytes commits after this: they must be on the disk before it.
        await file.sync();
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      } finally {
        await file.close();
      }
      await rename(unfinished, place);
      return { sha256: hash, bytes: bytes.byteLength };
    },
    async read(hash) {
      const place = placeOf(hash);
      const { size } = await stat(place);
      return { stream: streamOf(place), bytes: size };
    },
  };
}

/** The store of this installation. */
export const blobs = (): Blobs => localBlobs(path.join(env().dataDir, "blobs"));

/** Bytes of a file, or null when there is none. */
async function sizeOf(place: string): Promise<number | null> {
  return stat(place).then(
    ({ size }) => size,
    () => null,
  );
}

function streamOf(place: string): ReadableStream<Uint8Array> {
  const chunks = createReadStream(place)[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
