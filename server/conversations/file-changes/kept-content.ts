import "server-only";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { maxKeptBytes } from "@/server/capabilities/files/change-journal";
import { sealBytes, unsealBytes } from "@/server/platform/crypto";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * Stores the content of a file, compressed and sealed, because a store may be elsewhere. Sealing also gives every content
 * a blob of its own, which may therefore be deleted alone. @throws Error when the store does not take it.
 */
export async function keepContent(content: Uint8Array): Promise<{ blob: string; storedBytes: number }> {
  const { sha256, bytes } = await blobs().put(sealBytes(await compress(content)));
  return { blob: sha256, storedBytes: bytes };
}

/** Returns a kept content. @throws AppError `not_found` when the store lost it. */
export async function readKeptContent(blob: string): Promise<Uint8Array> {
  const stored = await new Response((await blobs().read(blob)).stream).bytes();
  return decompress(unsealBytes(stored), { maxOutputLength: maxKeptBytes });
}
