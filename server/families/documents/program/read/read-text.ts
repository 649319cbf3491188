import type { Extracted } from "../document-task.ts";
import { decodeText } from "./decode-text.ts";

/** Returns the text of a plain file. */
export function readText(bytes: Uint8Array, maxChars: number): Extracted {
  const text = decodeText(bytes);
  const isTruncated = text.length > maxChars;
  return {
    text: text.slice(0, maxChars).toWellFormed(),
    method: "plain text",
    extent: "the whole file",
    isTruncated,
    notes: isTruncated ? ["Read the rest of the file by lines."] : [],
  };
}
