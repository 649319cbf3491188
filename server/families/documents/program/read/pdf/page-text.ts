import { type Line, type Segment, segmentsOf } from "./page-lines.ts";
import { isRightToLeft } from "./reading-order.ts";

type Column = { left: number; right: number };
type Row = { line: Line; segments: Segment[] };

/** Writes the lines of a page. Cells of a table stand between tabs, an empty one as well; a large gap is an empty line. */
export function pageText(lines: readonly Line[]): string {
  const rows = lines.map((line) => ({ line, segments: segmentsOf(line) })).filter(({ segments }) => segments.length > 0);
  let text = "";
  let last: Line | null = null;
  for (const block of blocksOf(rows)) {
    const columns = block.length > 1 ? columnsOf(block) : [];
    for (const { line, segments } of block) {
      if (last && (last.angle !== line.angle || Math.abs(last.y - line.y) > Math.max(line.size, last.size) * 1.9)) text += "\n";
      text += `${rowText(segments, columns)}\n`;
      last = line;
    }
  }
  return text.replaceAll(/[ \t]+\n/g, "\n").trim();
}

/** Groups neighbouring lines that may be rows of one table: lines with cells, and single cells between them. */
function blocksOf(rows: readonly Row[]): Row[][] {
  const blocks: Row[][] = [];
  let block: Row[] = [];
  for (const row of rows) {
    const first = block[0];
    const last = block.at(-1);
    const isNear = last !== undefined && last.line.angle === row.line.angle && Math.abs(last.line.y - row.line.y) < 6 * row.line.size;
    const fits = first !== undefined && isNear && (row.segments.length > 1 || spans(row, block) === 1);
    if (fits && first.segments.length > 1) block.push(row);
    else {
      if (block.length > 0) blocks.push(block);
      block = [row];
    }
  }
  if (block.length > 0) blocks.push(block);
  return blocks;
}

/** Counts the columns so far that a single cell touches. */
function spans({ segments: [only] }: Row, block: readonly Row[]): number {
  return only ? columnsOf(block).filter((column) => touches(only, column)).length : 0;
}

/** Finds the columns, beginning with the line of most cells. */
function columnsOf(block: readonly Row[]): Column[] {
  const columns: Column[] = [];
  for (const { segments } of [...block].sort((a, b) => b.segments.length - a.segments.length)) {
    for (const { left, right } of segments) {
      const touched = columns.filter((column) => touches({ left, right }, column));
      const only = touched[0];
      if (!only) columns.push({ left, right });
      else if (touched.length === 1) {
        const wider = { left: Math.min(only.left, left), right: Math.max(only.right, right) };
        if (columns.every((column) => column === only || !touches(wider, column))) Object.assign(only, wider);
      }
    }
  }
  return columns.sort((a, b) => a.left - b.left);
}

function rowText(segments: readonly Segment[], columns: readonly Column[]): string {
  const cells: string[] = [];
  for (const segment of segments) {
    const at = columns.findIndex((column) => touches(segment, column));
    const free = Math.max(cells.length, at);
    while (cells.length < free) cells.push("");
    cells.push(segment.text);
  }
  // The first column of a line that is read from the right is the last one on the page.
  const isReversed = segments.length > 0 && isRightToLeft(segments.map(({ text }) => text).join(""));
  if (!isReversed) return cells.join("\t");
  while (cells.length < columns.length) cells.push("");
  return cells.reverse().join("\t");
}

const touches = (a: Column, b: Column): boolean => a.left < b.right && b.left < a.right;
