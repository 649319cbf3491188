import { AppError } from "@/server/platform/errors";

/** The largest file that edits change, in bytes. */
export const maxEditedBytes = 10 * 1_048_576;

/** The largest file that one edit makes, because a replacement of many places multiplies. */
const maxResultBytes = 20 * 1_048_576;
const maxReplacements = 200_000;

/** Names that other systems use for the arguments of an edit. */
export const editAliases = {
  old: "oldText",
  old_text: "oldText",
  old_str: "oldText",
  old_string: "oldText",
  new: "newText",
  new_text: "newText",
  new_str: "newText",
  new_string: "newText",
  replace_all: "replaceAll",
} as const;

/** Replaces every occurrence from left to right; replacements are not searched again. */
export function replaceBytes(text: Uint8Array, from: Uint8Array, to: Uint8Array): { after: Uint8Array; count: number } {
  const before = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const places: number[] = [];
  for (let found = before.indexOf(from); found !== -1; found = before.indexOf(from, found + from.byteLength)) {
    if (places.length === maxReplacements) throw tooMany(`more than ${maxReplacements.toLocaleString("en")} places`);
    places.push(found);
  }
  const size = before.byteLength + places.length * (to.byteLength - from.byteLength);
  if (size > maxResultBytes) throw tooMany("a result of more than 20 MiB");
  const after = Buffer.allocUnsafe(size);
  let [read, written] = [0, 0];
  for (const place of places) {
    written += before.copy(after, written, read, place);
    after.set(to, written);
    written += to.byteLength;
    read = place + from.byteLength;
  }
  before.copy(after, written, read);
  return { after, count: places.length };
}

function tooMany(what: string): AppError {
  return new AppError("too_large", `The edit means ${what}. Send a longer oldText, or change the file with a command.`);
}

const withCrLf = (text: string): string => text.replaceAll(/\r?\n/g, "\r\n");

export type TextEdit = { oldText: string; newText: string };

/** Returns the bytes after an edit, and the number of occurrences of `oldText`. For a file with CRLF, both texts may have LF. */
export function applyEdit(before: Uint8Array, { oldText, newText }: TextEdit): { after: Uint8Array; count: number } {
  // Works on bytes, so that the bytes around the place stay unchanged in any encoding.
  const inserted = Buffer.from(endsLinesWithCrLf(before) ? withCrLf(newText) : newText);
  const exact = replaceBytes(before, Buffer.from(oldText), inserted);
  return exact.count > 0 ? exact : replaceBytes(before, Buffer.from(withCrLf(oldText)), Buffer.from(withCrLf(newText)));
}

/** Returns true when every line of a file ends with CRLF. */
export function endsLinesWithCrLf(bytes: Uint8Array): boolean {
  let found = bytes.indexOf(0x0a);
  if (found === -1) return false;
  for (; found !== -1; found = bytes.indexOf(0x0a, found + 1)) if (bytes[found - 1] !== 0x0d) return false;
  return true;
}

/** Returns a hint why `oldText` may not be found. */
export function hintFor(bytes: Uint8Array, oldText: string): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (/^ *\d+\t/.test(oldText)) return "Leave out the line numbers that read_file puts in front.";
  if (oldText.includes("***")) return "It holds a masked secret (***): leave that part out of oldText.";
  const squeezed = (value: string) => value.replaceAll(/\s+/g, " ").trim();
  if (squeezed(oldText) !== "" && squeezed(text).includes(squeezed(oldText))) {
    return "It does with other white space: read the file again and copy spaces, tabs and line breaks exactly.";
  }
  return "Read the file again and copy the text exactly.";
}
