import type { Extracted } from "../../document-task.ts";
import { rtfText } from "./rtf-text.ts";

/** Extracts the text of an RTF file as Markdown: paragraphs, tables, footnotes. */
export function readRtf(bytes: Uint8Array, maxChars: number): Extracted {
  return { ...rtfText(bytes, maxChars), method: "document text", extent: "the whole document" };
}
