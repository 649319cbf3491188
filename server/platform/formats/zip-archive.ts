import yauzl, { type Entry } from "yauzl";
import { AppError, isAppError, toErrorMessage } from "../errors";

/** Deflate shrinks text to a hundredth at most; an archive bomb to a thousandth. */
const maxRatio = 300;
/** Smaller archives are not dangerous at any ratio. */
const harmlessBytes = 4 * 1_048_576;
const typeMask = 0o170000;
const linkType = 0o120000;
const utf8Flag = 0x800;

/** One file of an archive, as the archive declares it. Folders are left out. */
export type ZipEntry = { path: string; bytes: number; packedBytes: number; isLink: boolean; isEncrypted: boolean };

export type ZipArchive = {
  entries: readonly ZipEntry[];
  /**
   * Checks the files that are wanted, before any of them is decompressed.
   * @throws AppError `invalid` for encrypted files, `too_large` for more than `bytes` in total and for an archive bomb
   */
  assertSafe: (wanted: readonly ZipEntry[], limits: { bytes: number }) => void;
  /** Decompresses a file, at most to the size that it declares. @throws AppError `invalid` for a damaged one */
  read: (entry: ZipEntry) => Promise<Uint8Array>;
};

/**
 * Opens an archive that somebody sent. Names only select files: none is written, and none leads out of the archive.
 * @param title names the archive in errors, as their subject
 * @throws AppError `invalid` for bytes that are no archive and for unsafe names, `too_large` for more than `maxEntries` entries
 */
export async function openZipArchive(title: string, bytes: Uint8Array, { maxEntries }: { maxEntries: number }): Promise<ZipArchive> {
  const damaged = (error: unknown) =>
    isAppError(error)
      ? error
      : new AppError("invalid", `${title} cannot be opened (${toErrorMessage(error)}). It may be damaged, or no zip; make it anew.`);
  const originals = new Map<ZipEntry, Entry>();
  const options = { lazyEntries: true, validateEntrySizes: true, autoClose: false, decodeStrings: false } as const;
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), options).catch((error) => {
    throw damaged(error);
  });
  try {
    let count = 0;
    for await (const entry of zip.eachEntry()) {
      count += 1;
      if (count > maxEntries) throw new AppError("too_large", `${title} has more than ${maxEntries.toLocaleString("en")} files. Split it.`);
      const path = pathOf(entry);
      if (path.endsWith("/")) continue;
      const fault = yauzl.validateFileName(path);
      if (fault !== null) throw new AppError("invalid", `${title} is not a safe zip: ${fault.slice(0, 200)}.`);
      originals.set(declared(path, entry), entry);
    }
  } catch (error) {
    throw damaged(error);
  }
  return {
    entries: [...originals.keys()],
    assertSafe: (wanted, limits) => assertSafe(title, wanted, { ...limits, packedBytes: bytes.byteLength }),
    async read(entry) {
      const original = originals.get(entry);
      if (!original) throw new Error(`${entry.path} is no entry of this archive`);
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of (await zip.openReadStreamPromise(original)) as AsyncIterable<Uint8Array>) pieces.push(piece);
      } catch (error) {
        throw new AppError("invalid", `${entry.path.slice(0, 100)} of ${title} is damaged (${toErrorMessage(error)}).`);
      }
      return Buffer.concat(pieces);
    },
  };
}

const declared = (path: string, entry: Entry): ZipEntry => ({
  path,
  bytes: entry.uncompressedSize,
  packedBytes: entry.compressedSize,
  isLink: ((entry.externalFileAttributes >>> 16) & typeMask) === linkType,
  isEncrypted: entry.isEncrypted(),
});

function assertSafe(title: string, wanted: readonly ZipEntry[], { bytes, packedBytes }: { bytes: number; packedBytes: number }): void {
  const sealed = wanted.find(({ isEncrypted }) => isEncrypted);
  if (sealed) throw new AppError("invalid", `${title} is encrypted (${sealed.path.slice(0, 100)}). Send it without a password.`);
  const total = wanted.reduce((sum, entry) => sum + entry.bytes, 0);
  if (total > harmlessBytes && total > packedBytes * maxRatio)
    throw new AppError("too_large", `${title} grows to more than ${maxRatio} times its size, as an archive bomb does.`);
  if (total > bytes) throw new AppError("too_large", `${title} unpacks to more than ${Math.floor(bytes / 1_048_576)} MiB. Split it.`);
}

/** A flag says that a name is UTF-8. Without it names are UTF-8 all the same, or GBK as Chinese systems write them. */
function pathOf({ fileName, generalPurposeBitFlag }: Entry): string {
  const bytes = fileName as unknown as Uint8Array;
  const encodings = generalPurposeBitFlag & utf8Flag ? ["utf-8"] : ["utf-8", "gb18030"];
  return (
    encodings.map((encoding) => decoded(bytes, encoding)).find((name) => name !== null) ?? Buffer.from(bytes).toString("latin1")
  ).replaceAll("\\", "/");
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
