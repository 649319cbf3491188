import "server-only";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { maxSourceBytes } from "@/contracts/knowledge";
import { AppError, isAppError } from "@/server/platform/errors";
import { type StoredSource, storeSource } from "./add-source";

const maxEntries = 2_000;
const maxTotalBytes = 512 * 1_048_576;
/** Deflate shrinks a byte to a thousandth at most; documents stay far below. */
const maxRatio = 300;
/** Smaller archives are not dangerous at any ratio. */
const harmlessBytes = 4 * 1_048_576;
const skippedPattern = /(?:^|\/)(?:__MACOSX|\.DS_Store|Thumbs\.db|\.git)(?:\/|$)/;
const linkMode = 0o120000;

export type Unpacked = { files: StoredSource[]; leftOut: string[] };

/**
 * Reads all files of a ZIP archive before any of them becomes a source. Names only select entries: no file is written.
 * @throws AppError `invalid` for an encrypted or damaged archive, links and names that leave it; `too_large` for a bomb
 */
export async function unpackArchive(archive: string, bytes: Uint8Array, signal: AbortSignal): Promise<Unpacked> {
  const zip = await open(archive, bytes);
  const entries = await checkedEntries(archive, zip, bytes.byteLength);
  const files: StoredSource[] = [];
  const leftOut: string[] = [];
  for (const entry of entries) {
    signal.throwIfAborted();
    const name = entry.fileName;
    try {
      if (entry.uncompressedSize > maxSourceBytes) throw new AppError("too_large", `${name} is larger than 64 MiB.`);
      const content = await readEntry(zip, entry);
      files.push(
        await storeSource({ name, kind: "text", origin: archive, bytes: content }).then((stored) => ({
          ...stored,
          kind: "upload" as const,
        })),
      );
    } catch (error) {
      if (!isAppError(error) || error.code === "unavailable") throw error;
      leftOut.push(error.message);
    }
  }
  if (files.length === 0) throw new AppError("invalid", `${archive} has no file with text. ${leftOut.slice(0, 3).join(" ")}`.trim());
  return { files, leftOut };
}

const open = (archive: string, bytes: Uint8Array): Promise<ZipFile> =>
  yauzl
    .fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      validateEntrySizes: true,
      autoClose: false,
    })
    .catch((error: Error) => {
      throw new AppError("invalid", `${archive} is not a readable ZIP archive: ${error.message}.`);
    });

async function checkedEntries(archive: string, zip: ZipFile, packedBytes: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize, externalFileAttributes } = entry;
      if (fileName.endsWith("/") || skippedPattern.test(fileName)) continue;
      total += uncompressedSize;
      if (entries.length >= maxEntries) throw new AppError("too_large", `${archive} has more than ${maxEntries} files. Split it.`);
      if (total > maxTotalBytes) throw new AppError("too_large", `${archive} unpacks to more than 512 MiB. Split it.`);
      if (entry.isEncrypted()) throw new AppError("invalid", `${archive} is encrypted with a password. Add a copy without one.`);
      if (((externalFileAttributes >>> 16) & 0o170000) === linkMode) {
        throw new AppError("invalid", `${archive} holds a link (${fileName.slice(0, 100)}). Pack the file itself.`);
      }
      entries.push(entry);
    }
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError("invalid", `${archive} is not a safe ZIP archive: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (total > harmlessBytes && total > packedBytes * maxRatio) {
    throw new AppError("too_large", `${archive} grows to more than ${maxRatio} times its size, as an archive bomb does.`);
  }
  return entries;
}

/** Decompresses one entry, at most to the size that it declares. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) chunks.push(chunk);
  } catch (error) {
    throw new AppError("invalid", `${entry.fileName.slice(0, 100)} is damaged: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return Buffer.concat(chunks);
}
