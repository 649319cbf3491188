import "server-only";
import { maxSourceBytes } from "@/contracts/knowledge/knowledge-sources";
import { AppError, isAppError } from "@/server/platform/errors";
import { openZipArchive } from "@/server/platform/formats/zip-archive";
import { type StoredSource, storeSource } from "./add-source";

const maxEntries = 2_000;
const maxTotalBytes = 512 * 1_048_576;
const skippedPattern = /(?:^|\/)(?:__MACOSX|\.DS_Store|Thumbs\.db|\.git)(?:\/|$)/;

export type Unpacked = { files: StoredSource[]; leftOut: string[] };

/**
 * Reads all files of a ZIP archive before any of them becomes a source. Names only select entries: no file is written.
 * @throws AppError `invalid` for an encrypted or damaged archive, links and names that leave it; `too_large` for a bomb
 */
export async function unpackArchive(archive: string, bytes: Uint8Array, signal: AbortSignal): Promise<Unpacked> {
  const zip = await openZipArchive(archive, bytes, { maxEntries });
  const entries = zip.entries.filter(({ path }) => !skippedPattern.test(path));
  const link = entries.find(({ isLink }) => isLink);
  if (link) throw new AppError("invalid", `${archive} holds a link (${link.path.slice(0, 100)}). Pack the file itself.`);
  zip.assertSafe(entries, { bytes: maxTotalBytes });
  const files: StoredSource[] = [];
  const leftOut: string[] = [];
  for (const entry of entries) {
    signal.throwIfAborted();
    const name = entry.path;
    try {
      if (entry.bytes > maxSourceBytes) throw new AppError("too_large", `${name} is larger than 64 MiB.`);
      const content = await zip.read(entry);
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
