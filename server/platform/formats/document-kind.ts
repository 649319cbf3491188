import { posix } from "node:path";
import { fileTypeFromBuffer } from "file-type";
import { wideWithoutMark } from "@/server/platform/text-encoding/text-encoding";
import { compoundContent, type OldOfficeKind } from "./compound-file";

/** The kinds of documents that have text to extract. */
export type DocumentKind =
  | "pdf"
  | "docx"
  | "xlsx"
  | "pptx"
  | "odt"
  | "ods"
  | "odp"
  | "html"
  | "epub"
  | "rtf"
  | "eml"
  | "msg"
  | "text"
  | "tiff"
  | "image";

const kindOfType: Readonly<Record<string, DocumentKind>> = {
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.ms-word.document.macroenabled.12": "docx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "docx",
  "application/vnd.ms-word.template.macroenabled.12": "docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.ms-excel.sheet.macroenabled.12": "xlsx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.template": "xlsx",
  "application/vnd.ms-excel.template.macroenabled.12": "xlsx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.ms-powerpoint.presentation.macroenabled.12": "pptx",
  "application/vnd.openxmlformats-officedocument.presentationml.slideshow": "pptx",
  "application/vnd.openxmlformats-officedocument.presentationml.template": "pptx",
  "application/vnd.ms-powerpoint.slideshow.macroenabled.12": "pptx",
  "application/vnd.ms-powerpoint.template.macroenabled.12": "pptx",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/vnd.oasis.opendocument.text-template": "odt",
  "application/vnd.oasis.opendocument.spreadsheet-template": "ods",
  "application/vnd.oasis.opendocument.presentation-template": "odp",
  "application/epub+zip": "epub",
  "application/rtf": "rtf",
  "image/bmp": "image",
  "image/gif": "image",
  "image/jpeg": "image",
  "image/png": "image",
  "image/webp": "image",
  "image/tiff": "tiff",
};
const officeSuffixes = new Map<string, DocumentKind>([
  [".docx", "docx"],
  [".docm", "docx"],
  [".xlsx", "xlsx"],
  [".xlsm", "xlsx"],
  [".pptx", "pptx"],
  [".pptm", "pptx"],
  [".odt", "odt"],
  [".ods", "ods"],
  [".odp", "odp"],
  [".epub", "epub"],
]);

export type Recognised =
  | { kind: DocumentKind; mediaType: string }
  /** The binary formats of Office 97 to 2003. */
  | { kind: "old"; mediaType: string; format: OldOfficeKind }
  /** `encrypted`: a document that opens with a password. */
  | { kind: "encrypted" | "unknown"; mediaType: string };

/** Recognises a document by its first bytes. The name counts for archives that do not tell their kind, and for text. */
export async function documentKind(name: string, bytes: Uint8Array): Promise<Recognised> {
  const beginning = bytes.subarray(0, 65_536);
  const suffix = posix.extname(name).toLowerCase();
  // A PDF may begin with a few foreign bytes.
  if (Buffer.from(beginning.subarray(0, 1_024)).includes("%PDF-")) return { kind: "pdf", mediaType: "application/pdf" };
  // The library reads hostile bytes, and throws for some that only begin like a type.
  const found = await fileTypeFromBuffer(beginning).catch(() => undefined);
  const mediaType = found?.mime.split(";")[0]?.toLowerCase();
  const kind = mediaType ? kindOfType[mediaType] : undefined;
  if (kind && mediaType) return { kind, mediaType };
  if (beginning[0] === 0x50 && beginning[1] === 0x4b) {
    const byName = officeSuffixes.get(suffix);
    return byName
      ? { kind: byName, mediaType: mediaType ?? "application/zip" }
      : { kind: "unknown", mediaType: mediaType ?? "application/zip" };
  }
  if (mediaType === "application/x-cfb") return compoundKind(suffix, bytes);
  if (mediaType !== undefined && !/^text\/|[/+]xml$/.test(mediaType)) return { kind: "unknown", mediaType };
  const isUtf16 = (beginning[0] === 0xff && beginning[1] === 0xfe) || (beginning[0] === 0xfe && beginning[1] === 0xff);
  if (!isUtf16 && !wideWithoutMark(beginning) && beginning.subarray(0, 8_192).includes(0))
    return { kind: "unknown", mediaType: "application/octet-stream" };
  const written = Buffer.from(beginning.subarray(0, 4_096)).toString("latin1").trimStart();
  if (written.startsWith("{\\rtf")) return { kind: "rtf", mediaType: "application/rtf" };
  if (isMail(suffix, written)) return { kind: "eml", mediaType: "message/rfc822" };
  const start = written.slice(0, 1_024).toLowerCase();
  const isHtml = [".html", ".htm", ".xhtml"].includes(suffix) || start.startsWith("<!doctype html") || start.startsWith("<html");
  return isHtml ? { kind: "html", mediaType: "text/html" } : { kind: "text", mediaType: "text/plain" };
}

function compoundKind(suffix: string, bytes: Uint8Array): Recognised {
  const content = compoundContent(bytes) ?? compoundSuffixes.get(suffix) ?? null;
  if (content === "msg") return { kind: "msg", mediaType: "application/vnd.ms-outlook" };
  if (content === "encrypted") return { kind: "encrypted", mediaType: "application/x-cfb" };
  return content ? { kind: "old", mediaType: oldTypes[content], format: content } : { kind: "unknown", mediaType: "application/x-cfb" };
}

const compoundSuffixes = new Map<string, OldOfficeKind | "msg">([
  [".doc", "doc"],
  [".xls", "xls"],
  [".ppt", "ppt"],
  [".msg", "msg"],
]);
const oldTypes: Readonly<Record<OldOfficeKind, string>> = {
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
};

/** A mail or a saved page begins with headers. Without the ending of its name, only headers that nothing else has count. */
function isMail(suffix: string, start: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9-]{1,60}:/.test(start)) return false;
  const headers = start.split(/\r?\n\r?\n/)[0] ?? "";
  if ([".eml", ".mht", ".mhtml"].includes(suffix))
    return /^(?:From|To|Subject|Date|Received|MIME-Version|Content-Type|Message-ID):/im.test(headers);
  return /^(?:Received|Return-Path|Message-ID|MIME-Version|DKIM-Signature):/im.test(headers) && /^From:/im.test(headers);
}
