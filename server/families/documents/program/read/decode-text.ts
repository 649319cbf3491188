import { decodeBytes, detectEncoding, namedEncoding } from "../../../../platform/text-encoding/text-encoding.ts";
import { DocumentError } from "../document-error.ts";

/** Decodes a text in the encoding that was asked for, or in the one that is found. The note says which, except for UTF-8. */
export function decodeText(bytes: Uint8Array, asked?: string): { text: string; notes: string[] } {
  const encoding = asked === undefined ? detectEncoding(bytes) : namedEncoding(asked);
  if (!encoding)
    throw new DocumentError("invalid", `encoding: ${asked} is not known. Send a name such as windows-1252, gb18030 or shift_jis.`);
  const { name, by } = encoding;
  const text = decodeBytes(bytes, encoding);
  const notes =
    name === "utf-8" ? [] : [by === "guess" ? `Its encoding is guessed: ${name}; encoding sets another.` : `Its encoding is ${name}.`];
  if (text.includes("\uFFFD")) notes.push(`Bytes that are not ${name} are shown as \uFFFD.`);
  return { text, notes };
}
