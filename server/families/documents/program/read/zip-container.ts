import yauzl, { type Entry } from "yauzl";
import { DocumentError } from "../document-error.ts";

const maxEntries = 10_000;
const maxTotalBytes = 768 * 1_048_576;
const maxPartBytes = 384 * 1_048_576;
/** Deflate shrinks a byte to a thousandth at most; documents stay far below. */
const maxRatio = 300;
/** Smaller archives are not dangerous at any ratio. */
const harmlessBytes = 4 * 1_048_576;

/** The named parts of an Office document, which is a ZIP archive. */
export type ZipContainer = {
  names: readonly string[];
  has: (name: string) => boolean;
  /** Decompresses one part. @throws DocumentError for a part that is missing, or larger than its entry declares */
  chunks: (name: string) => AsyncIterable<Uint8Array>;
};

/**
 * Opens an archive. All limits are checked on the declared sizes before anything is decompressed; decompression then
 * ends at the declared size, so a false declaration gains nothing. Names only select entries: no file is written.
 */
export async function openZip(bytes: Uint8Array): Promise<ZipContainer> {
  const zip = await yauzl
    .fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      validateEntrySizes: true,
      autoClose: false,
    })
    .catch((error: Error) => {
      throw new DocumentError("invalid", `The document is not a readable archive (${error.message}). It may be damaged or encrypted.`);
    });
  const entries = new Map<string, Entry>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    total += entry.uncompressedSize;
    if (entries.size >= maxEntries) throw new DocumentError("too_large", `The document has more than ${maxEntries} parts.`);
    if (total > maxTotalBytes) throw new DocumentError("too_large", "The document has more than 768 MiB of content.");
    if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
  }
  if (total > harmlessBytes && total > bytes.byteLength * maxRatio) {
    throw new DocumentError("too_large", `The document grows to more than ${maxRatio} times its size, as an archive bomb does.`);
  }
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    async *chunks(name) {
      const entry = entries.get(name);
      if (!entry) throw new DocumentError("invalid", `The document has no part ${name.slice(0, 100)}, so it is damaged.`);
      if (entry.uncompressedSize > maxPartBytes) throw new DocumentError("too_large", "A part of the document has more than 384 MiB.");
      if (entry.isEncrypted()) throw new DocumentError("invalid", "The document is encrypted. Save it without a password first.");
      yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>;
    },
  };
}
