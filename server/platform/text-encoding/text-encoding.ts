import { isAscii } from "node:buffer";
import iconv from "iconv-lite";
import { guessEncoding } from "./guess-encoding.ts";

// The program that reads documents imports this file, too: it imports only packages, and files beside it.

/** Bytes of a file that decide its encoding. */
export const encodingSampleBytes = 65_536;

/**
 * `name` is a label that programs know, in lower case. `by` says how it was found: UTF-8 is what text is unless something else
 * is marked, declared, asked for or guessed.
 */
export type TextEncoding = { name: string; by: "default" | "mark" | "declared" | "asked" | "guess" };

const utf8: TextEncoding = { name: "utf-8", by: "default" };

/** Names that text declares, and those that the standard of the web takes them for. */
const canonical = (name: string): string => {
  const lower = name.trim().toLowerCase().replaceAll("_", "-");
  if (/^(?:iso-?8859-1|latin-?1|us-ascii|ascii|cp-?1252)$/.test(lower)) return "windows-1252";
  if (/^(?:gbk|gb-?2312|cp936)$/.test(lower)) return "gb18030";
  if (/^(?:sjis|shift-jis|cp932|ms932|windows-31j)$/.test(lower)) return "shift_jis";
  if (lower === "utf8") return "utf-8";
  if (/^utf-?16(?:-?le)?$/.test(lower)) return "utf-16le";
  return /^utf-?16-?be$/.test(lower) ? "utf-16be" : lower;
};

/** Returns the encoding that somebody named; null for a name that nothing knows. */
export function namedEncoding(name: string): TextEncoding | null {
  const known = canonical(name);
  return decoderOf(known) !== null || iconv.encodingExists(known) ? { name: known, by: "asked" } : null;
}

/** Finds the encoding of a text from its bytes, or from its first ones: by its mark, a declaration, and then by a guess. */
export function detectEncoding(bytes: Uint8Array, isWhole = true): TextEncoding {
  const marked = markOf(bytes);
  if (marked) return { name: marked, by: "mark" };
  const sample = sampleOf(bytes);
  const isCut = !isWhole || sample.byteLength < bytes.byteLength;
  const wide = wideWithoutMark(sample);
  if (wide) return { name: wide, by: "guess" };
  const declared = declaredEncoding(bytes);
  if (isAscii(sample)) {
    const isEscaped = latin1(sample).includes("\u001b$B") || latin1(sample).includes("\u001b$@");
    return isEscaped ? { name: "iso-2022-jp", by: "guess" } : utf8;
  }
  if (isMostlyUtf8(sample, isCut)) return utf8;
  if (declared && declared !== "utf-8" && decoderOf(declared)) return { name: declared, by: "declared" };
  return { name: guessEncoding(sample), by: "guess" };
}

/** Returns true when text in UTF-16 without a mark begins with these bytes, which hold zeros as binary files do. */
export const wideWithoutMark = (bytes: Uint8Array): "utf-16le" | "utf-16be" | null => {
  const sample = bytes.subarray(0, 4_096 & ~1);
  const pairs = Math.floor(sample.byteLength / 2);
  if (pairs < 4 || !sample.includes(0)) return null;
  let [even, odd] = [0, 0];
  for (let at = 0; at + 1 < sample.byteLength; at += 2) {
    if (sample[at] === 0) even += 1;
    if (sample[at + 1] === 0) odd += 1;
  }
  const name = even === 0 && odd > pairs * 0.3 ? "utf-16le" : odd === 0 && even > pairs * 0.3 ? "utf-16be" : null;
  const isText = name !== null && !hasControls(new TextDecoder(name).decode(sample.subarray(0, pairs * 2)));
  return isText ? name : null;
};

/** Decodes a whole text, without its mark. Bytes that mean nothing become U+FFFD. */
export function decodeBytes(bytes: Uint8Array, { name }: Pick<TextEncoding, "name">): string {
  const decoder = decoderOf(name);
  return decoder ? decoder.decode(bytes) : iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name);
}

/** Returns the text of a file; null for a binary file. */
export function textOfFile(bytes: Uint8Array): string | null {
  const encoding = detectEncoding(bytes);
  if (bytes.includes(0) && !/^utf-(?:16|32)/.test(encoding.name)) return null;
  return encoding.name === "utf-8" ? Buffer.from(bytes).toString("utf8") : decodeBytes(bytes, encoding);
}

/** Decodes a text that arrives in chunks, and yields it in UTF-8. */
export async function* inUtf8(chunks: AsyncIterable<Uint8Array>, { name }: Pick<TextEncoding, "name">): AsyncGenerator<Uint8Array, void> {
  const decoder = decoderOf(name);
  const other = decoder ? null : iconv.getDecoder(name);
  for await (const chunk of chunks) {
    const text = decoder ? decoder.decode(chunk, { stream: true }) : (other?.write(Buffer.from(chunk)) ?? "");
    if (text !== "") yield Buffer.from(text);
  }
  const rest = decoder ? decoder.decode() : (other?.end() ?? "");
  if (rest) yield Buffer.from(rest);
}

/** Encodes a text. Returns null when a character of it does not exist in the encoding. */
export function encodeText(text: string, { name }: Pick<TextEncoding, "name">): Uint8Array | null {
  if (!iconv.encodingExists(name)) return null;
  const bytes = iconv.encode(text, name, { addBOM: false });
  return decodeBytes(bytes, { name }) === text ? bytes : null;
}

/** Returns the byte order mark at the beginning. */
export function byteOrderMark(bytes: Uint8Array): Uint8Array {
  const name = markOf(bytes);
  return bytes.subarray(0, name === null ? 0 : name === "utf-8" ? 3 : name.startsWith("utf-32") ? 4 : 2);
}

function markOf(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "utf-32le" : "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? "utf-32be" : null;
}

function decoderOf(name: string): TextDecoder | null {
  try {
    return new TextDecoder(name);
  } catch {
    return null;
  }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

/** The first bytes; where they are plain ASCII, those around the first other byte. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.subarray(0, encodingSampleBytes);
  if (first.byteLength === bytes.byteLength || !isAscii(first)) return first;
  for (let from = encodingSampleBytes; from < bytes.byteLength; from += encodingSampleBytes) {
    const next = bytes.subarray(from, from + encodingSampleBytes);
    if (!isAscii(next)) return bytes.subarray(from - 1_024, from + encodingSampleBytes);
  }
  return first;
}

/** The declaration of HTML, XML, CSS, or of an editor. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const start = latin1(bytes.subarray(0, 1_024));
  const found =
    /<meta[^>]{1,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start) ??
    /^\s*<\?xml[^>]{1,100}encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(start) ??
    /^@charset "([\w.:-]{1,40})"/i.exec(start) ??
    /^(?:[^\n]*\n)?[ \t]*[#;/*<!-]{1,4}.{0,80}?coding[:=][ \t]*([\w.-]{1,40})/.exec(start);
  const name = found?.[1] ? canonical(found[1]) : null;
  // Bytes that a program reads as ASCII cannot be UTF-16, whatever they say.
  return name === null || name.startsWith("utf-16") ? null : name;
}

/** A few broken bytes in UTF-8 are broken bytes and no other encoding. */
function isMostlyUtf8(sample: Uint8Array, isCut: boolean): boolean {
  const text = new TextDecoder().decode(sample, { stream: isCut });
  const broken = text.split("\uFFFD").length - 1;
  if (broken === 0) return true;
  const others = (text.match(/[^\0-\x7f]/g)?.length ?? 0) - broken;
  return others >= broken * 4;
}

const hasControls = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 0x1b) || (code >= 0x7f && code < 0xa0))
      return true;
  }
  return false;
};
