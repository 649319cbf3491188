import type { PrintedLine } from "./printed-line";

/** The most bytes of a line that are shown. */
const shownBytes = 300;
/** The most bytes that are shown in front of a match. */
const bytesBefore = 100;

/**
 * Returns a whole line, or the part around its match with `…` for omitted text.
 * @param readRange reads bytes of the line's file, for a match behind the printed bytes
 */
export async function excerptOfLine(
  { bytes, isCut, matchAt, offset }: Pick<PrintedLine, "bytes" | "isCut" | "matchAt" | "offset">,
  readRange: (start: number, length: number) => Promise<Uint8Array>,
): Promise<string> {
  if (!isCut && bytes.length <= shownBytes) return bytes.toString("utf8").toWellFormed();
  const from = matchAt < shownBytes - bytesBefore ? 0 : matchAt - bytesBefore;
  const isPrinted = from + shownBytes <= bytes.length || !isCut;
  const part = isPrinted ? bytes.subarray(from, from + shownBytes) : await readRange(offset + from, shownBytes);
  const [text = ""] = decoded(part).split(/\r?\n/);
  const goesOn = isCut || from + shownBytes < bytes.length;
  return `${from > 0 ? "…" : ""}${text}${goesOn ? "…" : ""}`;
}

/** Decodes UTF-8 and drops the split characters at both ends. */
function decoded(bytes: Uint8Array): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder().decode(bytes.subarray(start), { stream: true });
}
