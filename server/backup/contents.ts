import "server-only";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { StartError } from "@/db/start-error";
import { blobPath } from "@/server/capabilities/blobs/blob-store";
import { Digest } from "./digest";

/** The contents of files and blobs in a backup, each once, under the SHA-256 of its bytes. */
export class Contents {
  readonly #folder: string;
  #unfinished = 0;

  constructor(
    backup: string,
    readonly signal: AbortSignal,
  ) {
    this.#folder = path.join(backup, "contents");
  }

  async has(sha256: string): Promise<boolean> {
    return access(this.#at(sha256)).then(
      () => true,
      () => false,
    );
  }

  /** Returns when the bytes are on the disk. */
  async add(source: AsyncIterable<Uint8Array>): Promise<{ sha256: string; bytes: number }> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const unfinished = path.join(this.#folder, `unfinished-${++this.#unfinished}`);
    const digest = new Digest();
    await pipeline(source, digest.pass(), createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }), {
      signal: this.signal,
    });
    const { sha256, bytes } = digest.result();
    if (await this.has(sha256)) await rm(unfinished);
    else {
      await mkdir(path.dirname(this.#at(sha256)), { recursive: true, mode: 0o700 });
      await rename(unfinished, this.#at(sha256));
    }
    return { sha256, bytes };
  }

  /** Writes the bytes into a new file. @throws StartError that names the backup's file when its bytes are not those */
  async copyTo(sha256: string, target: string | Buffer): Promise<void> {
    const digest = new Digest();
    await this.#read(sha256, digest, createWriteStream(target, { flags: "wx", mode: 0o600, flush: true }));
  }

  /** Returns the bytes. @throws StartError that names the backup's file when its bytes are not those */
  async read(sha256: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    await this.#read(sha256, new Digest(), async (source) => {
      for await (const chunk of source) chunks.push(chunk);
    });
    return Buffer.concat(chunks);
  }

  async #read(
    sha256: string,
    digest: Digest,
    target: NodeJS.WritableStream | ((source: AsyncIterable<Buffer>) => Promise<void>),
  ): Promise<void> {
    const place = this.#at(sha256);
    if (!(await this.has(sha256))) throw new StartError(`The backup's file ${place} is missing: restore another copy of this backup.`);
    await pipeline(createReadStream(place), digest.pass(), target as NodeJS.WritableStream, { signal: this.signal });
    if (digest.result().sha256 !== sha256) {
      throw new StartError(`The backup's file ${place} is damaged: restore another copy of this backup.`);
    }
  }

  #at(sha256: string): string {
    return path.join(this.#folder, ...blobPath(sha256));
  }
}
