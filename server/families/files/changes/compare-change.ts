import "server-only";
import { createHash } from "node:crypto";
import type { FileChangeComparison, FileChangeState } from "@/contracts/turns/file-changes";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { readKeptContent } from "@/server/conversations/file-changes/kept-content";
import type { ChangeRow } from "@/server/conversations/file-changes/record-changes";
import { isAppError } from "@/server/platform/errors";
import { textOfFile } from "@/server/platform/text-encoding/text-encoding";

/** The largest text that a comparison shows, in bytes. */
const maxComparedBytes = 262_144;

/** A file as it is now; `content` is null above `maxComparedBytes`. */
export type FileNow = { sha256: string; content: Uint8Array | null };

/** Reads a file as it is; null when it does not exist. */
export async function readNow(files: FilesCapability, path: string): Promise<FileNow | null> {
  const digest = createHash("sha256");
  let chunks: Uint8Array[] | null = [];
  let length = 0;
  try {
    for await (const chunk of files.readChunks(path)) {
      digest.update(chunk);
      length += chunk.byteLength;
      if (length > maxComparedBytes) chunks = null;
      chunks?.push(chunk);
    }
  } catch (error) {
    if (isAppError(error) && error.code === "not_found") return null;
    throw error;
  }
  return { sha256: digest.digest("hex"), content: chunks && Buffer.concat(chunks) };
}

export function stateOf(row: ChangeRow, now: FileNow | null): FileChangeState {
  const is = (bytes: number | null, hash: string | null) => (now === null ? bytes === null : hash === now.sha256);
  if (is(row.afterBytes, row.afterHash)) return "as_changed";
  return is(row.beforeBytes, row.beforeHash) ? "as_before" : "changed_since";
}

type Texts = Pick<FileChangeComparison, "before" | "after" | "now" | "notShown">;

/** Returns the texts before and after a change, and the text of the file as it is; an absent file is the empty text. */
export async function comparedTexts(row: ChangeRow, now: FileNow | null): Promise<Texts> {
  const isSensitive = row.notKept === "sensitive";
  const before = row.beforeBytes === null ? "" : await keptText(row.beforeBlob, row.beforeBytes);
  const after = row.afterBytes === null ? "" : await keptText(row.afterBlob, row.afterBytes);
  const shownNow = isSensitive ? null : now === null ? "" : now.content && textOf(now.content);
  const isWhole = before !== null && after !== null && shownNow !== null;
  const notShown = isWhole
    ? null
    : isSensitive
      ? "The file is sensitive, so its contents are not shown."
      : "A content was not kept, is not text in UTF-8, or has more than 256 KiB.";
  return { before, after, now: shownNow, notShown };
}

async function keptText(blob: string | null, bytes: number): Promise<string | null> {
  if (blob === null || bytes > maxComparedBytes) return null;
  try {
    return textOf(await readKeptContent(blob));
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

function textOf(bytes: Uint8Array): string | null {
  const text = textOfFile(bytes);
  return text === null || text.includes("\uFFFD") ? null : text.replace(/^\uFEFF/, "");
}
