import { AppError } from "@/server/platform/errors";
import {
  byteOrderMark,
  decodeBytes,
  detectEncoding,
  encodeText,
  encodingSampleBytes,
  inUtf8,
  namedEncoding,
  type TextEncoding,
} from "@/server/platform/text-encoding/text-encoding";
import { detectFileKind } from "./text-file";

/** A text file in UTF-8, which edits work on, and the way back to the encoding of the file. */
export type FileText = {
  bytes: Uint8Array;
  encoding: TextEncoding;
  /** @throws AppError `invalid` for a character that the encoding of the file does not have */
  encode: (text: string | Uint8Array) => Uint8Array;
};

/** Takes a file as text. Bytes of UTF-8, and those of binary files, stay as they are. */
export function fileText(path: string, bytes: Uint8Array): FileText {
  const kind = detectFileKind(path, bytes);
  const encoding: TextEncoding = kind === "text" || kind === "utf16" ? detectEncoding(bytes) : { name: "utf-8", by: "default" };
  if (encoding.name === "utf-8") return asUtf8(bytes);
  const mark = byteOrderMark(bytes);
  const text = decodeBytes(bytes, encoding);
  const rest = encodeText(text, encoding);
  // When the guess does not give the same bytes again, an edit works on the bytes themselves.
  if (rest === null || !Buffer.concat([mark, rest]).equals(bytes)) return asUtf8(bytes);
  return { bytes: Buffer.from(text), encoding, encode: (changed) => Buffer.concat([mark, encoded(path, changed, encoding)]) };
}

const asUtf8 = (bytes: Uint8Array): FileText => ({
  bytes,
  encoding: { name: "utf-8", by: "default" },
  encode: (text) => (typeof text === "string" ? Buffer.from(text) : text),
});

/** Returns the end of a file in the encoding of the file. */
export function encodedLike(path: string, file: Uint8Array, added: string): { bytes: Uint8Array; encoding: TextEncoding } {
  const kind = detectFileKind(path, file);
  const isText = file.byteLength > 0 && (kind === "text" || kind === "utf16");
  const encoding: TextEncoding = isText ? detectEncoding(file) : { name: "utf-8", by: "default" };
  return { bytes: encoding.name === "utf-8" ? Buffer.from(added) : encoded(path, added, encoding), encoding };
}

function encoded(path: string, changed: string | Uint8Array, encoding: TextEncoding): Uint8Array {
  const text = typeof changed === "string" ? changed : Buffer.from(changed).toString("utf8");
  const bytes = encodeText(text, encoding);
  if (bytes !== null) return bytes;
  const missing = [...new Set(text.match(/[^\0-\x7f]/gu) ?? [])].filter((character) => encodeText(character, encoding) === null);
  throw new AppError(
    "invalid",
    `${path} is ${encoding.name}, which has no ${missing.slice(0, 10).join(" ")}. Write other characters, or convert the file to UTF-8 first.`,
  );
}

/** Returns the encoding that a call names. @throws AppError for a name that nothing knows */
export function askedEncoding(name: string): TextEncoding {
  const found = namedEncoding(name);
  if (found) return found;
  throw new AppError("invalid", `encoding: ${name} is not known. Send a name such as utf-8, utf-16le, windows-1252, gb18030 or shift_jis.`);
}

/** Says in which encoding a text was read; empty for UTF-8. */
export function encodingSentence({ name, by }: TextEncoding): string {
  if (name === "utf-8") return "";
  return by === "guess" ? `Its encoding is guessed: ${name}; encoding sets another.` : `Its encoding is ${name}.`;
}

/** Says in a few words in which encoding a text was written; empty for UTF-8. */
export const writtenAs = ({ name }: TextEncoding): string => (name === "utf-8" ? "" : ` It stays ${name}.`);

/** Says after a change of a file made from rows what it changed there; empty for other files. */
export const rowNote = ({ note }: { note?: string }): string => (note ? ` ${note}` : "");

/** Yields a text in UTF-8, by the encoding that its first bytes show. `check` refuses them. */
export async function* decodedChunks(
  chunks: AsyncIterable<Uint8Array>,
  check: (beginning: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let [length, isWhole] = [0, false];
  while (length < encodingSampleBytes && !isWhole) {
    const { done, value } = await iterator.next();
    if (done) isWhole = true;
    else {
      parts.push(value);
      length += value.byteLength;
    }
  }
  const beginning = Buffer.concat(parts);
  if (beginning.byteLength > 0) check(beginning);
  const encoding = detectEncoding(beginning, isWhole);
  const all = continued(beginning, iterator);
  yield* encoding.name === "utf-8" ? all : inUtf8(all, encoding);
}

async function* continued(beginning: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield beginning;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
