/** A line of a file as ripgrep printed it: a matching line, or a context line. */
export type PrintedLine = {
  path: string;
  line: number;
  isMatch: boolean;
  /** Offset of the line in the file, in bytes. */
  offset: number;
  /** Offset of the first match in the line, in bytes; 0 for a context line. */
  matchAt: number;
  /** The line without its line break; a longer line is cut to its beginning. */
  bytes: Buffer;
  isCut: boolean;
};

/** The most bytes of a line that ripgrep prints. */
export const printedBytes = 2_000;

/** The ripgrep options that print lines for `readPrintedLine`. */
export const linePrinting: readonly string[] = [
  ...["--null", "--with-filename", "--no-heading", "--line-number", "--column", "--byte-offset", "--no-context-separator"],
  ...["--max-columns", String(printedBytes), "--max-columns-preview"],
];

const matchPrefix = /^(\d+):(\d+):(\d+):/;
const contextPrefix = /^(\d+)-(\d+)-/;
const cutMark = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;
const maxPrefixBytes = 60;
const maxMarkBytes = 60;

/** Parses one printed line; null for a message, which has no path that ends with a NUL. */
export function readPrintedLine(printed: Buffer): PrintedLine | null {
  const end = printed.indexOf(0);
  if (end === -1) return null;
  const rest = printed.subarray(end + 1);
  const start = rest.subarray(0, maxPrefixBytes).toString("latin1");
  const match = matchPrefix.exec(start);
  const prefix = match ?? contextPrefix.exec(start);
  if (!prefix) return null;
  const text = withoutReturn(rest.subarray(prefix[0].length));
  // Only the text behind the printed bytes can be the cut mark, because a file may contain the same words.
  const mark = text.length > printedBytes ? cutMark.exec(text.subarray(-maxMarkBytes).toString("latin1")) : null;
  return {
    path: plainPath(printed.subarray(0, end)),
    line: Number(prefix[1]),
    isMatch: match !== null,
    offset: Number(match ? match[3] : prefix[2]),
    matchAt: match ? Number(match[2]) - 1 : 0,
    bytes: mark ? text.subarray(0, text.length - mark[0].length) : text,
    isCut: mark !== null,
  };
}

/** A path as ripgrep prints it, relative to the folder that was searched. */
export const plainPath = (bytes: Buffer): string => bytes.toString("utf8").replace(/^\.\//, "");

const withoutReturn = (text: Buffer): Buffer => (text.at(-1) === 0x0d ? text.subarray(0, -1) : text);
