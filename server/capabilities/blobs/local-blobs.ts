import "server-only";
import { createReadStream } from "node:fs";
import { access, constants, mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "@/server/platform/crypto";
import { toErrorMessage } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { type Blobs, blobPath, noSuchBlob } from "./blob-store";

/** Returns a blob store in a folder; processes on several machines may share the folder through a file system. */
export function localBlobs(folder: string): Blobs {
  const fileOf = (hash: string) => path.join(folder, ...blobPath(hash));
  return {
    async put(bytes) {
      const hash = sha256(bytes);
      const place = fileOf(hash);
      // A file of another size was cut off by a full disk or a crash of the machine: it is written again.
      if ((await sizeOf(place)) === bytes.byteLength) return { sha256: hash, bytes: bytes.byteLength };
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      const unfinished = `${place}.${newId()}`;
      const file = await open(/* turbopackIgnore: true */ unfinished, "wx", 0o600);
      try {
        await file.writeFile(bytes);
        // The database row that names this blob commits later: the bytes must be on the disk before the row.
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
    async remove(hash) {
      await rm(fileOf(hash), { force: true });
    },
    async check() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await access(folder, constants.R_OK | constants.W_OK);
        return "ok";
      } catch (error) {
        return `The blob folder ${folder} cannot be written to: ${toErrorMessage(error)}`;
      }
    },
  };
}

/** Returns the size of a file, or null when the file does not exist. @throws Error when the size cannot be read. */
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
