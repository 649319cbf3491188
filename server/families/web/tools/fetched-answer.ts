import type { JsonObject } from "@/contracts/common";
import type { HttpAnswer } from "@/server/capabilities/network/http";
import { AppError } from "@/server/platform/errors";
import { decodeBytes, detectEncoding } from "@/server/platform/text-encoding/text-encoding";
import { type RichResult, toolResult } from "@/server/tools/define-tool";
import { fenceExternalText } from "@/server/tools/results/external-text";
import { declaredCharset } from "./declared-charset";

/** Characters of one page of a text. */
export const pageChars = 100_000;

export type TextPage = { text: string; offset: number; end: number; total: number };

/** Cuts the page at `offset` out of a text, never inside a character. @throws AppError `invalid` behind the end */
export function pageOf(text: string, offset: number): TextPage {
  const total = text.length;
  if (offset > 0 && offset >= total) {
    throw new AppError("invalid", `offset ${offset} is behind the end: the text has ${total.toLocaleString("en")} characters.`);
  }
  const start = isLowSurrogate(text, offset) ? offset - 1 : offset;
  const cut = Math.min(total, start + pageChars);
  const end = cut < total && isLowSurrogate(text, cut) ? cut - 1 : cut;
  return { text: text.slice(start, end), offset: start, end, total };
}

const isLowSurrogate = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text.charAt(at));

export type Answered = {
  bytes?: number;
  truncated?: boolean;
  title?: string | null;
  path?: string;
  saved?: boolean;
  notes?: readonly string[];
  /** Text from the remote server, which is not trusted. */
  page?: TextPage;
  files?: RichResult["files"];
};

/** Builds the result: a line about the response, notes, then the external text between two marks. */
export function answered(
  { url, status, headers }: HttpAnswer,
  method: string,
  { page, notes = [], files, ...rest }: Answered,
  clean: (text: string) => string,
): RichResult {
  const contentType = headers["content-type"] ?? null;
  const location = status >= 300 && status < 400 ? headers.location : undefined;
  const isPart = page !== undefined && (page.offset > 0 || page.end < page.total);
  const facts: JsonObject = {
    url,
    method,
    status,
    contentType,
    ...(location ? { location } : {}),
    ...rest,
    ...(isPart ? { offset: page.offset, totalChars: page.total, nextOffset: page.end < page.total ? page.end : null } : {}),
  };
  const size = rest.bytes === undefined ? "" : `, ${rest.bytes.toLocaleString("en")} bytes${rest.truncated ? " (cut: there is more)" : ""}`;
  const lines = [
    `${method} ${url}: ${status < 400 ? `status ${status}` : `non-2xx status: ${status}`}, ${contentType ?? "no content type"}${size}`,
    ...(location ? [`It redirects to ${location}. Fetch that if you want to follow it.`] : []),
    ...notes,
    ...(isPart ? [pageNote(page)] : []),
    ...(page === undefined
      ? []
      : [fenceExternalText(rest.title ? `Title: ${rest.title}\n\n${page.text}` : page.text, URL.parse(url)?.host ?? url)]),
  ];
  return toolResult({
    text: clean(lines.join("\n")),
    isError: status >= 400,
    structuredContent: Object.fromEntries(
      Object.entries(facts).map(([name, value]) => [name, typeof value === "string" ? clean(value) : value]),
    ),
    ...(files ? { files } : {}),
  });
}

function pageNote({ offset, end, total }: TextPage): string {
  // A result limit may show less than this page. The model would skip the rest of it, were it told to send the next offset at once.
  const next = end < total ? ` After the last of these characters, offset: ${end} goes on.` : "";
  return `This page holds the characters ${(offset + 1).toLocaleString("en")} to ${end.toLocaleString("en")} of ${total.toLocaleString("en")}.${next}`;
}

/** Media types of files that are for programs, also where all their bytes are signs of a text, as in some PDFs. */
const fileType =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip|msword|vnd\.(?:ms-|openxmlformats-|oasis\.opendocument)))/i;
const pdfMark = "%PDF-";

/** A body as text. `guessed`: the encoding, where nothing declared it and it is not UTF-8. */
export type DecodedBody = { text: string; guessed: string | null };

const declaredText = /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|x-ndjson|yaml))|[+](json|xml)/i;

/** Decodes the body as text; null when the body is not text. */
export function decodeBody(bytes: Uint8Array, contentType: string): DecodedBody | null {
  if (bytes.byteLength === 0 || fileType.test(contentType)) return null;
  if (Buffer.from(bytes.subarray(0, pdfMark.length)).toString("latin1") === pdfMark) return null;
  const isDeclaredText = declaredText.test(contentType);
  const declared = declaredCharset(bytes, contentType);
  // The size limit may have split the last character.
  const guess = declared === null && isDeclaredText ? detectEncoding(bytes, false) : null;
  const charset = declared ?? guess?.name ?? "utf-8";
  if (!/^utf-16/i.test(charset) && bytes.includes(0)) return null;
  if (guess?.by === "guess") return { text: decodeBytes(bytes, guess), guessed: guess.name };
  const text = decoded(bytes, decoderFor(charset, { fatal: !isDeclaredText }));
  return text === null ? null : { text, guessed: null };
}

function decoderFor(charset: string, options: { fatal: boolean }): TextDecoder {
  try {
    return new TextDecoder(charset, options);
  } catch {
    return new TextDecoder("utf-8", options);
  }
}

function decoded(bytes: Uint8Array, decoder: TextDecoder): string | null {
  try {
    // A character that the size limit split is dropped.
    return decoder.decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
