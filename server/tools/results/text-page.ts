import { AppError } from "@/server/platform/errors";
import { countCharacters, countNewlines } from "./byte-counts";
import { commandTool } from "./helping-tools";

/** The requested part of a text. Lines and columns count from 1; a column is one Unicode character. */
export type PageRequest = { startLine: number; startColumn: number; endLine: number | null; maxLines: number };

export type TextPage = {
  /** The lines, each with its number in front. Without the numbers, joined pages equal the file, byte for byte. */
  content: string;
  /** Null when the lines of the file were not all counted. */
  totalLines: number | null;
  /** Lines that were counted; the file has at least as many. */
  countedLines: number;
  /** Last line of the page, whole or in part. */
  endLine: number;
  readLines: number;
  /** The requested part continues after the page. */
  truncated: boolean;
  /** Set when `truncated`. */
  nextStartLine: number | null;
  /** Set when the rest of the same line remains. */
  nextStartColumn: number | null;
  /** Bytes from the beginning of the chunks to the next page; null without a next page. */
  nextByte: number | null;
  /** The page ends inside a line. */
  lineTruncated: boolean;
  /** Invalid UTF-8 was replaced by U+FFFD. */
  hasForeignBytes: boolean;
};

/** The most text of one page in bytes, without the line numbers. */
export const maxPageBytes = 30_720;
const newline = 0x0a;

/** Lines are counted this far, in bytes, because counting a large file takes longer than reading its page. */
export const maxCountedBytes = 16 * 1_048_576;

type PageOptions = { maxCounted?: number; origin?: { line: number; column: number } };

/**
 * Cuts one page out of a streamed file; only the page is kept in memory, and the stream ends soon after it. A line that does
 * not fit any more moves to the next page. A line longer than a page is cut, and `nextStartColumn` says where it continues.
 * @param options `maxCounted`: bytes in which lines are counted; `origin`: the line and column of the chunks' first byte
 * @throws AppError `invalid` when the page begins behind the end, or the file is not text.
 */
export async function readPage(chunks: AsyncIterable<Uint8Array>, request: PageRequest, options: PageOptions = {}): Promise<TextPage> {
  const { maxCounted = maxCountedBytes, origin = { line: 1, column: 1 } } = options;
  const reader = new PageReader(request, origin);
  let isWhole = true;
  for await (const chunk of chunks) {
    if (reader.isComplete && reader.readBytes > maxCounted) {
      isWhole = false;
      break;
    }
    reader.read(chunk);
  }
  return reader.page(isWhole);
}

type Next = { line: number; column: number | null; byte: number };
type ShownLine = { line: number; bytes: Uint8Array; ended: boolean };

/** Reads chunks: skips to the page's first character, takes its lines, and then only counts. */
class PageReader {
  readBytes = 0;
  readonly #request: PageRequest;
  readonly #shown: ShownLine[] = [];
  #shownBytes = 0;
  #next: Next | null = null;
  #line: number;
  /** The current line has bytes, so it counts even without a line feed. */
  #isLineOpen: boolean;
  #columnsToSkip: number;
  /** Bytes before the wanted part of the current line. */
  #wantedFrom: number;
  #wanted: Uint8Array[] = [];
  #wantedBytes = 0;

  constructor(request: PageRequest, origin: { line: number; column: number }) {
    this.#request = request;
    this.#line = origin.line;
    this.#isLineOpen = origin.column > 1;
    this.#columnsToSkip = request.startColumn - (request.startLine === origin.line ? origin.column : 1);
    this.#wantedFrom = 0;
  }

  /** The page has all its lines: what follows is only counted. */
  get isComplete(): boolean {
    return this.#next !== null || (this.#request.endLine !== null && this.#line > this.#request.endLine);
  }

  read(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.byteLength) {
      if (this.isComplete || this.#line < this.#request.startLine) {
        from = this.#pass(chunk, from);
        continue;
      }
      const found = chunk.indexOf(newline, from);
      const to = found === -1 ? chunk.byteLength : found;
      this.#take(chunk.subarray(from, to), this.readBytes + from);
      if (to > from) this.#isLineOpen = true;
      if (this.isComplete) {
        from = to;
      } else if (found === -1) {
        from = to;
      } else {
        this.#endLine(true, this.readBytes + to + 1);
        this.#startLine();
        from = to + 1;
      }
    }
    this.readBytes += chunk.byteLength;
  }

  /** Counts lines up to the page's first line, or to the end of the chunk. Returns where the page goes on. */
  #pass(chunk: Uint8Array, from: number): number {
    const lines = countNewlines(chunk.subarray(from));
    const missing = this.isComplete ? Number.POSITIVE_INFINITY : this.#request.startLine - this.#line;
    if (lines < missing) {
      this.#line += lines;
      this.#isLineOpen = chunk.at(-1) !== newline;
      return chunk.byteLength;
    }
    let at = from;
    for (let left = missing; left > 0; left -= 1) at = chunk.indexOf(newline, at) + 1;
    this.#line += missing;
    this.#startLineAt(this.readBytes + at);
    return at;
  }

  #startLine(): void {
    this.#line += 1;
    this.#isLineOpen = false;
    this.#wanted = [];
    this.#wantedBytes = 0;
  }

  #startLineAt(byte: number): void {
    this.#isLineOpen = false;
    this.#wantedFrom = byte;
  }

  /** Takes a piece of the current line, after the columns that are skipped. */
  #take(piece: Uint8Array, byte: number): void {
    let rest = piece;
    if (this.#columnsToSkip > 0 && this.#line === this.#request.startLine) {
      const skipped = skipCharacters(piece, this.#columnsToSkip);
      this.#columnsToSkip -= skipped.characters;
      rest = piece.subarray(skipped.bytes);
      if (rest.byteLength === 0) return;
    }
    // Continuation bytes at the start of a piece belong to the last skipped character.
    if (this.#wantedBytes === 0 && this.#request.startColumn > 1 && this.#line === this.#request.startLine) {
      rest = rest.subarray(continuationBytes(rest));
    }
    if (this.#wantedBytes === 0) this.#wantedFrom = byte + piece.byteLength - rest.byteLength;
    // Copied, because the chunk's memory may be used again.
    this.#wanted.push(Uint8Array.from(rest.subarray(0, Math.max(0, maxPageBytes + 4 - this.#wantedBytes))));
    this.#wantedBytes += rest.byteLength;
    if (this.#shownBytes + this.#wantedBytes > maxPageBytes) this.#cut();
  }

  /** Ends the page at a line that does not fit, without reading the rest of the line. */
  #cut(): void {
    if (this.#shown.length > 0) {
      this.#next = { line: this.#line, column: null, byte: this.#wantedFrom };
      return;
    }
    const bytes = Buffer.concat(this.#wanted);
    const cut = bytes.subarray(0, characterBoundary(bytes, maxPageBytes));
    const characters = countCharacters(cut);
    if (characters === 0) throw binary(this.#line);
    this.#shown.push({ line: this.#line, bytes: cut, ended: false });
    const { startLine, startColumn } = this.#request;
    const column = (this.#line === startLine ? startColumn : 1) + characters;
    this.#next = { line: this.#line, column, byte: this.#wantedFrom + cut.byteLength };
  }

  #endLine(ended: boolean, nextByte: number): void {
    const { startLine, startColumn, maxLines } = this.#request;
    if (this.#line === startLine && this.#columnsToSkip > 0) {
      const has = startColumn - 1 - this.#columnsToSkip;
      throw new AppError("invalid", `Line ${startLine} has ${has} characters, so startColumn ${startColumn} is behind its end. Send less.`);
    }
    this.#shown.push({ line: this.#line, bytes: Buffer.concat(this.#wanted), ended });
    this.#shownBytes += this.#wantedBytes + 1;
    this.#wantedFrom = nextByte;
    if (this.#shown.length === maxLines) this.#next = { line: this.#line + 1, column: null, byte: nextByte };
  }

  /** @param isWhole every chunk was read */
  page(isWhole: boolean): TextPage {
    const { startLine, endLine } = this.#request;
    if (isWhole && this.#isLineOpen && !this.isComplete && this.#line >= startLine) this.#endLine(false, this.readBytes);
    const countedLines = this.#line - 1 + (this.#isLineOpen ? 1 : 0);
    const totalLines = isWhole ? countedLines : null;
    if (totalLines !== null && startLine > Math.max(totalLines, 1)) {
      throw new AppError("invalid", `The file has ${totalLines} lines, so startLine ${startLine} is behind its end. Send less.`);
    }
    const lastWanted = Math.min(endLine ?? Number.POSITIVE_INFINITY, totalLines ?? Number.POSITIVE_INFINITY);
    const next = this.#next;
    const truncated = next !== null && (next.column !== null || next.line <= lastWanted);
    return {
      ...decode(this.#shown),
      totalLines,
      countedLines,
      endLine: this.#shown.at(-1)?.line ?? startLine - 1,
      readLines: this.#shown.length,
      truncated,
      nextStartLine: truncated ? next.line : null,
      nextStartColumn: truncated ? next.column : null,
      nextByte: truncated ? next.byte : null,
      lineTruncated: truncated && next.column !== null,
    };
  }
}

function decode(lines: readonly { line: number; bytes: Uint8Array; ended: boolean }[]): { content: string; hasForeignBytes: boolean } {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  let hasForeignBytes = false;
  const texts = lines.map(({ line, bytes, ended }) => {
    if (bytes.includes(0)) throw binary(line);
    let text: string;
    try {
      text = strict.decode(bytes);
    } catch {
      hasForeignBytes = true;
      text = lenient.decode(bytes);
    }
    return `${line}\t${text}${ended ? "\n" : ""}`;
  });
  return { content: texts.join(""), hasForeignBytes };
}

const continuesCharacter = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function continuationBytes(bytes: Uint8Array): number {
  let count = 0;
  while (continuesCharacter(bytes[count])) count += 1;
  return count;
}

/** The size of a step in which characters are counted before they are passed one by one. */
const skipBytes = 4_096;

/** Returns the length in bytes of the first `count` characters, including their continuation bytes. */
function skipCharacters(bytes: Uint8Array, count: number): { characters: number; bytes: number } {
  const all = countCharacters(bytes);
  if (all <= count) return { characters: all, bytes: bytes.byteLength };
  let [characters, at] = [0, 0];
  while (true) {
    const step = countCharacters(bytes.subarray(at, at + skipBytes));
    if (characters + step > count) break;
    characters += step;
    at += skipBytes;
  }
  while (true) {
    if (!continuesCharacter(bytes[at])) {
      if (characters === count) return { characters, bytes: at };
      characters += 1;
    }
    at += 1;
  }
}

/** Returns the last position at or before `limit` where a character begins. */
function characterBoundary(bytes: Uint8Array, limit: number): number {
  let boundary = limit;
  while (boundary > 0 && continuesCharacter(bytes[boundary])) boundary -= 1;
  return boundary;
}

function binary(line: number): AppError {
  return new AppError(
    "invalid",
    `Line ${line} is not text. For a binary file use ${commandTool.text() || "a shell"} with a command that understands it, such as file or xxd.`,
  );
}
