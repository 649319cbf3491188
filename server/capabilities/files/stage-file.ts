import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { AppError } from "@/server/platform/errors";
import { notAFile, type Place } from "../workspace-path";

// O_NONBLOCK: if a pipe replaced the file after its check, opening does not block on the pipe's other end. The pipe is then refused.
export const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Returns a path for a temporary file beside a file. */
export const besides = ({ folder }: Place): string => folder.at(`.${randomBytes(9).toString("hex")}.handrail-part`);

/** Largest new content that a staged file hands on, in bytes; it is kept for showing a comparison. */
export const maxShownBytes = 1_048_576;

/** A new content beside its file. `content` is null above `maxShownBytes`. */
export type StagedFile = { temporary: string; bytesWritten: number; sha256: string; content: Uint8Array | null };

/**
 * Writes the new content of a file beside the file, so that a rename can put the content in place.
 * @param mode permissions of a file that does not exist yet
 */
export async function stageFile(
  place: Place,
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxBytes, mode }: { maxBytes: number; mode?: number },
): Promise<StagedFile> {
  assertFile(place, path);
  const temporary = besides(place);
  const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | safely, 0o666);
  try {
    let bytesWritten = 0;
    const digest = createHash("sha256");
    let shown: Uint8Array[] | null = [];
    for await (const chunk of chunks) {
      bytesWritten += chunk.byteLength;
      if (bytesWritten > maxBytes) throw tooLarge(path, bytesWritten, maxBytes);
      await file.writeFile(chunk);
      digest.update(chunk);
      if (bytesWritten > maxShownBytes) shown = null;
      // Copied, because the source may use the chunk's memory again.
      shown?.push(Uint8Array.from(chunk));
    }
    const permissions = place.stats?.mode ?? mode;
    if (permissions !== undefined) await file.chmod(permissions & 0o777);
    await file.sync();
    return { temporary, bytesWritten, sha256: digest.digest("hex"), content: shown && Buffer.concat(shown) };
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

/** @throws AppError `invalid` for a folder, a pipe, a socket or a device. */
export function assertFile({ stats }: Place, path: string): void {
  if (stats?.isDirectory()) throw new AppError("invalid", `${path} is a folder. Name a file in it.`);
  if (stats && !stats.isFile()) throw notAFile(path);
}

export function tooLarge(path: string, bytes: number, maxBytes: number): AppError {
  const [is, may] = [bytes, maxBytes].map((count) => count.toLocaleString("en"));
  return new AppError("too_large", `${path} is too large: ${is} bytes, and at most ${may} are handled at once. Work on a smaller part.`);
}
