import "server-only";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { PassThrough, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StartError } from "@/db/start-error";
import type { StoredFile } from "./manifest";

/** SHA-256 and size of the bytes that pass through a stream. */
export class Digest {
  readonly #hash = createHash("sha256");
  #bytes = 0;

  pass(): Transform {
    return new Transform({
      transform: (chunk: Uint8Array, _encoding, done) => {
        this.#hash.update(chunk);
        this.#bytes += chunk.byteLength;
        done(null, chunk);
      },
    });
  }

  result(): { sha256: string; bytes: number } {
    return { sha256: this.#hash.digest("hex"), bytes: this.#bytes };
  }
}

/** @throws StartError that names the file when it is missing, cut off or changed */
export async function assertWhole(folder: string, { file, sha256, bytes }: StoredFile, signal: AbortSignal): Promise<void> {
  const place = path.join(folder, file);
  const size = await stat(place).then(
    (stats) => stats.size,
    () => null,
  );
  if (size === null) throw new StartError(`The backup's file ${place} is missing: restore another copy of this backup.`);
  const damaged = new StartError(`The backup's file ${place} is damaged: restore another copy of this backup.`);
  if (size !== bytes) throw damaged;
  const digest = new Digest();
  await pipeline(createReadStream(place), digest.pass(), new PassThrough().resume(), { signal });
  if (digest.result().sha256 !== sha256) throw damaged;
}
