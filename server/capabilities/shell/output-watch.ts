import "server-only";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import { type Outputs, readOutputTail } from "./command-outputs";

/** State of a running command's output, for people who wait. */
export type OutputState = {
  /** Bytes of both streams so far. */
  bytes: number;
  /** Last whole line with text; null when it is too long, or may belong to a private key. */
  lastLine: string | null;
};

const betweenMs = 500;
const tailBytes = 4_096;
const maxLineChars = 1_000;
/** A line of a private key has no marker of its own, so a line with such a word is not shown. */
const longWord = /[A-Za-z0-9+/_=-]{40,}/;
/** The last line of a private key may be short, so a line behind such a line is not shown either. */
const keyLine = /^[A-Za-z0-9+/=]{40,}$/;

/** Returns a function that takes the sizes of both streams, and tells about new output at most twice a second. */
export function watchOutput(
  { stdout, stderr }: Outputs,
  tell: (state: OutputState) => void,
): (sizes: readonly [number, number]) => Promise<void> {
  let known: readonly [number, number] = [0, 0];
  let toldAt = 0;
  return async (sizes) => {
    const [out, errors] = sizes;
    if ((out === known[0] && errors === known[1]) || performance.now() - toldAt < betweenMs) return;
    const grew = out === known[0] ? { file: stderr, size: errors } : { file: stdout, size: out };
    known = sizes;
    toldAt = performance.now();
    tell({ bytes: out + errors, lastLine: lastLineIn(await readOutputTail(grew.file, grew.size, tailBytes)) });
  };
}

/**
 * Returns the last line with text that has both its ends in the tail. The line before a cut is never shown, because
 * half a secret has no shape that the mask knows.
 */
export function lastLineIn({ bytes, isCut }: { bytes: Uint8Array; isCut: boolean }): string | null {
  const text = stripVTControlCharacters(new StringDecoder("utf8").write(Buffer.from(bytes)));
  // A program redraws a line of progress after a carriage return. The part behind the last end may not be complete.
  const lines = text.split(/[\r\n]/).slice(isCut ? 1 : 0, -1);
  const [line, previous = ""] = lines.flatMap((each) => each.trim() || []).reverse();
  return line === undefined || line.length > maxLineChars || longWord.test(line) || keyLine.test(previous) ? null : line;
}
