import "server-only";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { blobs } from "@/server/capabilities/blobs";
import { maxKeptBytes } from "@/server/capabilities/change-journal";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Random bytes in front of each content, so that every kept content has a blob of its own and may be deleted alone. */
const saltBytes = 16;

/** Stores the content of a file, compressed. @throws Error when the store does not take it. */
export async function keepContent(content: Uint8Array): Promise<{ blob: string; storedBytes: number }> {
  const { sha256, bytes } = await blobs().put(Buffer.concat([randomBytes(saltBytes), await compress(content)]));
  return { blob: sha256, storedBytes: bytes };
}

/** Returns a kept content. @throws AppError `not_found` when the store lost it. */
export async function readKeptContent(blob: string): Promise<Uint8Array> {
  const stored = await new Response((await blobs().read(blob)).stream).bytes();
  return decompress(stored.subarray(saltBytes), { maxOutputLength: maxKeptBytes });
}
