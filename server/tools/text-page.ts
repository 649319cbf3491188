import { AppError } from "@/server/platform/errors";
import { promptHint } from "@/server/platform/prompt-hints";

/** The requested part of a text. Lines and columns count from 1; a column is one Unicode character. */
export type PageRequest = { startLine: number; startColumn: number; endLine: number | null; maxLines: number };

export type TextPage = {
  /** The lines, each with its number in front. Without the numbers, joined pages equal the file, byte for byte. */
  content: string;
  /** Null when the file is too large for counting its lines. */
  totalLines: number | null;
  /** Last line of the page, whole or in part. */
  endLine: number;
  readLines: number;
  /** The requested part continues after the page. */
  truncated: boolean;
  /** Set when `truncated`. */
  nextStartLine: number | null;
  /** Set when the rest of the same line remains. */
  nextStartColumn: number | null;
  /** The page ends inside a line. */
  lineTruncated: boolean;
  /** Invalid UTF-8 was replaced by U+FFFD. */
  hasForeignBytes: boolean;
};

/** The most text of one page in bytes, without the line numbers. */
export const maxPageBytes = 30_720;
const newline = 0x0a;

/**
 * Cuts one page out of a streamed file; only the page is kept in memory. A line that does not fit any more moves to the
 * next page. A line longer than a page is cut, and `nextStartColumn` says where it continues.
 * @param maxCountedBytes lines beyond this many bytes are not counted
 * @throws AppError `invalid` when the page begins behind the end, or the file is not text.
 */
export async function readPage(
  chunks: AsyncIterable<Uint8Array>,
  { startLine, startColumn, endLine, maxLines }: PageRequest,
  maxCountedBytes = 512 * 1_048_576,
): Promise<TextPage> {
  const shown: { line: number; bytes: Uint8Array; ended: boolean }[] = [];
  let shownBytes = 0;
  let next: { line: number; column: number | null } | null = null;

  // State of the current line: its number, its total length, and the first bytes of its requested part.
  let line = 1;
  let lineBytes = 0;
  let wantedBytes = 0;
  let wanted: Uint8Array[] = [];
  let columnsToSkip = startColumn - 1;

  const isComplete = () => next !== null || (endLine !== null && line > endLine);
  const isWanted = () => line >= startLine && !isComplete();

  const take = (piece: Uint8Array) => {
    let rest = piece;
    if (line === startLine && startColumn > 1 && wantedBytes === 0) {
      const skipped = skipCharacters(piece, columnsToSkip);
      columnsToSkip -= skipped.characters;
      rest = piece.subarray(skipped.bytes);
    }
    if (wantedBytes <= maxPageBytes) wanted.push(rest.subarray(0, maxPageBytes + 1 - wantedBytes));
    wantedBytes += rest.byteLength;
  };

  const finishLine = (ended: boolean) => {
    if (isWanted()) {
      if (line === startLine && columnsToSkip > 0) {
        const has = startColumn - 1 - columnsToSkip;
        throw new AppError("invalid", `Line ${line} has ${has} characters, so startColumn ${startColumn} is behind its end. Send less.`);
      }
      const bytes = Buffer.concat(wanted);
      if (shownBytes + wantedBytes <= maxPageBytes) {
        shown.push({ line, bytes, ended });
        shownBytes += wantedBytes + 1;
        if (shown.length === maxLines) next = { line: line + 1, column: null };
      } else if (shown.length > 0) {
        next = { line, column: null };
      } else {
        const cut = bytes.subarray(0, characterBoundary(bytes, maxPageBytes));
        const characters = countCharacters(cut);
        if (characters === 0) throw binary(line);
        shown.push({ line, bytes: cut, ended: false });
        next = { line, column: (line === startLine ? startColumn : 1) + characters };
      }
    }
    wanted = [];
    wantedBytes = 0;
    lineBytes = 0;
  };

  let counted = 0;
  let isCounted = true;
  for await (const chunk of chunks) {
    if (counted > maxCountedBytes && isComplete()) {
      isCounted = false;
      break;
    }
    counted += chunk.byteLength;
    for (let from = 0; from < chunk.byteLength; ) {
      const found = chunk.indexOf(newline, from);
      const to = found === -1 ? chunk.byteLength : found;
      lineBytes += to - from;
      if (isWanted()) take(chunk.subarray(from, to));
      from = to;
      if (found !== -1) {
        finishLine(true);
        line += 1;
        from += 1;
      }
    }
  }
  const hasOpenLine = isCounted && lineBytes > 0;
  if (hasOpenLine) finishLine(false);
  const totalLines = isCounted ? line - 1 + (hasOpenLine ? 1 : 0) : null;

  if (totalLines !== null && startLine > Math.max(totalLines, 1)) {
    throw new AppError("invalid", `The file has ${totalLines} lines, so startLine ${startLine} is behind its end. Send less.`);
  }
  const lastWanted = Math.min(endLine ?? Number.POSITIVE_INFINITY, totalLines ?? Number.POSITIVE_INFINITY);
  // TypeScript does not see the assignments in the functions above.
  const goesOn = next as { line: number; column: number | null } | null;
  const truncated = goesOn !== null && (goesOn.column !== null || goesOn.line <= lastWanted);
  const last = shown.at(-1);
  return {
    ...decode(shown),
    totalLines,
    endLine: last?.line ?? startLine - 1,
    readLines: shown.length,
    truncated,
    nextStartLine: truncated ? (goesOn?.line ?? null) : null,
    nextStartColumn: truncated ? (goesOn?.column ?? null) : null,
    lineTruncated: truncated && goesOn?.column !== null,
  };
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

// Characters are counted without decoding: in UTF-8 every byte but 10xxxxxx begins a character.
const beginsCharacter = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) !== 0x80;

function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (beginsCharacter(byte)) count += 1;
  return count;
}

/** Returns the length in bytes of the first `count` characters, including their continuation bytes. */
function skipCharacters(bytes: Uint8Array, count: number): { characters: number; bytes: number } {
  let characters = 0;
  for (let index = 0; index < bytes.byteLength; index += 1) {
    if (!beginsCharacter(bytes[index])) continue;
    if (characters === count) return { characters, bytes: index };
    characters += 1;
  }
  return { characters, bytes: bytes.byteLength };
}

/** Returns the last position at or before `limit` where a character begins. */
function characterBoundary(bytes: Uint8Array, limit: number): number {
  let boundary = limit;
  while (boundary > 0 && !beginsCharacter(bytes[boundary])) boundary -= 1;
  return boundary;
}

function binary(line: number): AppError {
  return new AppError(
    "invalid",
    `Line ${line} is not text. For a binary file use ${promptHint("command_tool") || "a shell"} with a command that understands it, such as file or xxd.`,
  );
}
