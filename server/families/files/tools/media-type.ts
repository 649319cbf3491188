import { isAscii } from "node:buffer";
import { extname } from "node:path";
import { fileTypeFromBuffer } from "file-type";
import { detectEncoding } from "@/server/platform/text-encoding/text-encoding";
import { detectFileKind } from "./text-file";

/** Bytes at a file's beginning that decide its type. */
export const typeSampleBytes = 65_536;

/** `encoding`: "ascii", "utf-8", "utf-8 with BOM", or the name of another one, such as "windows-1252". */
export type FileType = { mediaType: string; category: FileCategory; encoding: string | null };
export type FileCategory =
  | "text"
  | "image"
  | "audio"
  | "video"
  | "pdf"
  | "office"
  | "old_office"
  | "mail"
  | "archive"
  | "notebook"
  | "binary"
  | "empty";

/** Text types that only the name tells. */
const textTypes: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".eml": "message/rfc822",
  ".mht": "multipart/related",
  ".mhtml": "multipart/related",
  ".css": "text/css",
  ".htm": "text/html",
  ".html": "text/html",
  ".ipynb": "application/x-ipynb+json",
  ".js": "text/javascript",
  ".json": "application/json",
  ".jsonl": "application/x-ndjson",
  ".md": "text/markdown",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".toml": "application/toml",
  ".ts": "text/typescript",
  ".tsv": "text/tab-separated-values",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
};

/** Detects a file's type by its first bytes. The name counts only for text, and for an Office document among archives. */
export async function detectFileType(name: string, beginning: Uint8Array, isWhole: boolean): Promise<FileType> {
  if (beginning.byteLength === 0) return { mediaType: "application/x-empty", category: "empty", encoding: null };
  const kind = detectFileKind(name, beginning);
  if (kind === "utf16") {
    return { mediaType: textTypeOf(name), category: "text", encoding: detectEncoding(beginning, isWhole).name };
  }
  // The library reads hostile bytes, and throws for some that only begin like a type.
  const found = await fileTypeFromBuffer(beginning).catch(() => undefined);
  const mediaType = found?.mime.split(";")[0];
  if (mediaType === "application/x-cfb") return compoundType(name, beginning);
  if (kind === "pdf" || kind === "office") return { mediaType: mediaType ?? "application/octet-stream", category: kind, encoding: null };
  if (mediaType !== undefined && !/^text\/|[/+]xml$/.test(mediaType)) return { mediaType, category: categoryOf(mediaType), encoding: null };
  if (kind === "binary") return { mediaType: "application/octet-stream", category: "binary", encoding: null };
  const type = textTypeOf(name);
  const category = type.includes("ipynb") ? "notebook" : type === "message/rfc822" || type === "multipart/related" ? "mail" : "text";
  return { mediaType: type, category, encoding: encodingOf(beginning, isWhole) };
}

/** Tells a mail of Outlook from the old binary documents of Office, which have the same container. */
function compoundType(name: string, beginning: Uint8Array): FileType {
  const suffix = extname(name).toLowerCase();
  const isMail = suffix === ".msg" || Buffer.from(beginning).includes(Buffer.from("__properties_version1.0", "utf16le"));
  if (isMail) return { mediaType: "application/vnd.ms-outlook", category: "mail", encoding: null };
  return { mediaType: "application/x-cfb", category: "old_office", encoding: null };
}

const textTypeOf = (name: string): string => {
  const suffix = extname(name).toLowerCase();
  return Object.hasOwn(textTypes, suffix) ? (textTypes[suffix] ?? "text/plain") : "text/plain";
};

function categoryOf(mediaType: string): FileCategory {
  const [top] = mediaType.split("/");
  if (top === "image" || top === "audio" || top === "video") return top;
  if (/officedocument|opendocument|msword|ms-excel|ms-powerpoint|epub|rtf/.test(mediaType)) return "office";
  return /zip|x-tar|gzip|x-bzip2|x-xz|x-7z|x-rar|zstd|x-compress/.test(mediaType) ? "archive" : "binary";
}

function encodingOf(bytes: Uint8Array, isWhole: boolean): string {
  const { name, by } = detectEncoding(bytes, isWhole);
  if (name !== "utf-8") return name;
  return by === "mark" ? "utf-8 with BOM" : isAscii(bytes) ? "ascii" : name;
}
