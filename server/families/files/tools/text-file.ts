import path from "node:path";
import { AppError } from "@/server/platform/errors";
import { wideWithoutMark } from "@/server/platform/text-encoding/text-encoding";
import { commandTool, documentTool } from "@/server/tools/results/helping-tools";

/** Bytes at a file's beginning that decide whether the file is text. */
const sampleBytes = 8_192;
const officeSuffixes = new Set([".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".doc", ".xls", ".ppt"]);

export type FileKind = "text" | "utf16" | "pdf" | "office" | "binary";

/** Detects a file's kind by its first bytes; its name only distinguishes an Office document from another archive. */
export function detectFileKind(name: string, beginning: Uint8Array): FileKind {
  const sample = beginning.subarray(0, sampleBytes);
  const startsWith = (...bytes: number[]) => bytes.every((byte, index) => sample[index] === byte);
  if (startsWith(0x25, 0x50, 0x44, 0x46, 0x2d)) return "pdf";
  const isContainer = startsWith(0x50, 0x4b, 0x03, 0x04) || startsWith(0xd0, 0xcf, 0x11, 0xe0);
  if (isContainer && officeSuffixes.has(path.extname(name).toLowerCase())) return "office";
  if (startsWith(0xff, 0xfe) || startsWith(0xfe, 0xff) || (!isContainer && wideWithoutMark(sample))) return "utf16";
  return isContainer || sample.includes(0) ? "binary" : "text";
}

/**
 * @param name the file's own name, where the path has another one
 * @throws AppError `invalid` with a suggestion for a file that is not text.
 */
export function assertText(given: string, beginning: Uint8Array, name = given): void {
  const kind = detectFileKind(name, beginning);
  if (kind === "text" || kind === "utf16") return;
  const isDocument = kind === "pdf" || kind === "office";
  const reader = documentTool.text();
  if (isDocument && reader) {
    throw new AppError("invalid", `${given} is a ${kind === "pdf" ? "PDF" : "Office"} document, not text. Read it with ${reader}.`);
  }
  throw new AppError("invalid", `${given} ${hints[kind](commandTool.text() || "a shell")}`);
}

/** Returns the media type of an image that models read; null for anything else. */
export function imageTypeOf(beginning: Uint8Array): string | null {
  const text = Buffer.from(beginning.subarray(0, 16)).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  return text.startsWith("RIFF") && text.startsWith("WEBP", 8) ? "image/webp" : null;
}

const hints: Record<Exclude<FileKind, "text" | "utf16">, (commandTool: string) => string> = {
  pdf: (commandTool) => `is a PDF document, not text. Extract its text first, for example with pdftotext through ${commandTool}.`,
  office: (commandTool) => `is an Office document, not text. Extract its text first, for example with pandoc through ${commandTool}.`,
  binary: (commandTool) =>
    `is a binary file, not text. Look at it with ${commandTool} and a command that understands it, such as file or xxd.`,
};
