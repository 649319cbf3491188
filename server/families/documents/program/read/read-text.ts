import type { Extracted } from "../document-task.ts";
import { decodeText } from "./decode-text.ts";

/** Returns the text of a plain file. */
export function readText(bytes: Uint8Array, maxChars: number, encoding?: string): Extracted {
  const { text, notes } = decodeText(bytes, encoding);
  const isTruncated = text.length > maxChars;
  return {
    text: text.slice(0, maxChars).toWellFormed(),
    method: "plain text",
    extent: "the whole file",
    isTruncated,
    notes: isTruncated ? [...notes, "Read the rest of the file by lines."] : notes,
  };
}
