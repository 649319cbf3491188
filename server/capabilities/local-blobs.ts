import "server-only";
import { createReadStream } from "node:fs";
import { access, constants, mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "@/server/platform/crypto";
import { messageOf } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { type Blobs, noSuchBlob, placeOf } from "./blob-store";

/** A blob store in a folder; processes on several machines may share it through a file system. */
export function localBlobs(folder: string): Blobs {
  const fileOf = (hash: string) => path.join(folder, ...placeOf(hash));
  return {
    async put(bytes) {
      const hash = sha256(bytes);
      const place = fileOf(hash);
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
      const place = fileOf(hash);
      const size = await sizeOf(place);
      if (size === null) throw noSuchBlob();
      return { stream: streamOf(place), bytes: size };
    },
    async check() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await access(folder, constants.R_OK | constants.W_OK);
        return "ok";
      } catch (error) {
        return `The blob folder ${folder} cannot be written to: ${messageOf(error)}`;
      }
    },
  };
}

/** Bytes of a file, or null when there is none. @throws Error when that cannot be found out. */
async function sizeOf(place: string): Promise<number | null> {
  try {
    return (await stat(place)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
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
