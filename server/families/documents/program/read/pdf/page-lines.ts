import { isRightToLeft, readingOrder } from "./reading-order.ts";

/** A piece of text with its place, turned so that its line lies flat. */
export type Piece = {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  /** Degrees of the line on the page. */
  angle: number;
  /** A space stood before it in the file. */
  hasSpaceBefore: boolean;
};
/** A run of text without a large gap. */
export type Segment = { text: string; left: number; right: number };
export type Line = { y: number; size: number; angle: number; pieces: Piece[] };

/** Gaps, in sizes of the font. */
const cellGap = 1.5;
const wordGap = 0.22;
/** A line of a table's column is short; prose in columns is not. */
const cellChars = 30;
/** A column of a table may end so many rows above its neighbour. */
const rowsBelow = 10;

type Item = { str: string; width: number; height: number; transform: number[]; hasEOL: boolean };

/** Turns the items of a page into pieces with places. */
export function piecesOf(items: readonly Item[]): Piece[] {
  const pieces: Piece[] = [];
  let hasSpaceBefore = false;
  for (const { str, width, height, transform } of items) {
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform;
    const text = str.replaceAll("\0", "");
    if (text.trim() === "") {
      hasSpaceBefore ||= text !== "";
      continue;
    }
    const turn = Math.round((Math.atan2(b, a) * 180) / Math.PI);
    const angle = turn * (Math.PI / 180);
    pieces.push({
      text,
      x: e * Math.cos(angle) + f * Math.sin(angle),
      y: f * Math.cos(angle) - e * Math.sin(angle),
      width,
      size: Math.hypot(c, d) || height || 10,
      angle: turn,
      hasSpaceBefore: hasSpaceBefore || /^\s/.test(text),
    });
    hasSpaceBefore = /\s$/.test(text);
  }
  return pieces;
}

/** Joins pieces into lines, in the order of the file. Columns of a table that were written one after the other are joined. */
export function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (line && line.angle === piece.angle && Math.abs(piece.y - line.y) < 0.5 * Math.max(line.size, piece.size)) {
      line.pieces.push(piece);
      if (piece.size > line.size) Object.assign(line, { y: piece.y, size: piece.size });
    } else lines.push({ y: piece.y, size: piece.size, angle: piece.angle, pieces: [piece] });
  }
  return joinColumns(lines);
}

/** Puts a piece on the line that it stands beside, or on a line of its own. */
export function place(lines: Line[], piece: Piece): void {
  const near = lines.filter((line) => line.angle === piece.angle && Math.abs(line.y - piece.y) < 0.6 * Math.max(line.size, piece.size));
  const best = near.sort((a, b) => Math.abs(a.y - piece.y) - Math.abs(b.y - piece.y))[0];
  if (best) {
    best.pieces.push(piece);
    return;
  }
  const below = lines.findIndex((line) => line.angle === piece.angle && line.y < piece.y);
  lines.splice(below === -1 ? lines.length : below, 0, { y: piece.y, size: piece.size, angle: piece.angle, pieces: [piece] });
}

/** Splits a line at its large gaps. Each segment is in reading order. */
export function segmentsOf(line: Line): Segment[] {
  const pieces = [...line.pieces].sort((a, b) => a.x - b.x);
  const groups: Piece[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const piece of pieces) {
    if (piece.x - end > cellGap * Math.min(line.size, piece.size * 1.5)) groups.push([]);
    groups.at(-1)?.push(piece);
    end = Math.max(end, piece.x + piece.width);
  }
  return groups.map((group) => ({
    text: textOf(group, line),
    left: Math.min(...group.map(({ x }) => x)),
    right: Math.max(...group.map(({ x, width }) => x + width)),
  }));
}

function textOf(group: readonly Piece[], line: Line): string {
  const isReversed = isRightToLeft(group.map(({ text }) => text).join(""));
  let text = "";
  let last: Piece | null = null;
  for (const piece of isReversed ? readingOrder(group) : group) {
    const written = raised(piece, line);
    const gap = last === null ? 0 : Math.max(piece.x - (last.x + last.width), last.x - (piece.x + piece.width));
    const isApart =
      last !== null && (gap > wordGap * piece.size || (piece.hasSpaceBefore && !isReversed) || (isReversed && gap > 0.1 * piece.size));
    text += isApart && !/\s$/.test(text) && !/^\s/.test(written) ? ` ${written}` : written;
    last = piece;
  }
  return text.trim();
}

/** Marks small signs above the line, such as exponents and the marks of notes. */
function raised(piece: Piece, line: Line): string {
  const height = (piece.y - line.y) / line.size;
  const isRaised = piece.size <= 0.82 * line.size && height > 0.18 && height < 0.7;
  return isRaised && /^\s*[−–+-]?[\p{L}\p{N}*†]{1,3}\s*$/u.test(piece.text) ? piece.text.replace(/\S+/, "^$&^") : piece.text;
}

function joinColumns(lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  let block: Line[] = [];
  for (const line of [...lines, null]) {
    const last = block.at(-1);
    const goesUp = line !== null && last !== undefined && line.angle === last.angle && line.y > last.y + line.size * 0.5;
    if (line !== null && !goesUp) {
      block.push(line);
      continue;
    }
    const column = joined.slice(lastColumnAt(joined));
    const places = block.map((own) =>
      column.findLastIndex((other) => other.angle === own.angle && Math.abs(other.y - own.y) < 0.3 * own.size),
    );
    const partners = places.map((at) => column[at]);
    const matched = partners.filter((partner) => partner !== undefined).length;
    // Columns of a table end at nearly the same row. The next column of a page often begins beside the top of a longer one.
    const endsTogether = column.length - 1 - Math.max(...places) <= Math.max(block.length, rowsBelow);
    const isTable =
      block.length >= 2 &&
      endsTogether &&
      matched >= 0.8 * block.length &&
      block.every((own) => charsOf(own) <= cellChars) &&
      partners.every((partner) => !partner || Math.max(...segmentsOf(partner).map(({ text }) => text.length)) <= cellChars) &&
      block.every((own, at) => !overlaps(own, partners[at]));
    if (isTable) for (const [at, own] of block.entries()) (partners[at] ?? newIn(joined, own)).pieces.push(...own.pieces);
    else joined.push(...block);
    block = line === null ? [] : [line];
  }
  return joined;
}

/** Returns the place of the line from which on all lines of the file go down the page. */
function lastColumnAt(lines: readonly Line[]): number {
  const upAt = lines.findLastIndex((line, at) => line.y > (lines[at - 1]?.y ?? line.y) + line.size * 0.5);
  return Math.max(0, upAt);
}

function newIn(lines: Line[], like: Line): Line {
  const line = { ...like, pieces: [] };
  const below = lines.findIndex(({ y, angle }) => angle === like.angle && y < like.y);
  lines.splice(below === -1 ? lines.length : below, 0, line);
  return line;
}

const charsOf = (line: Line): number => line.pieces.reduce((sum, { text }) => sum + text.length, 0);
const overlaps = (a: Line, b: Line | undefined): boolean =>
  b?.pieces.some((one) => a.pieces.some((other) => one.x < other.x + other.width && other.x < one.x + one.width)) ?? false;
