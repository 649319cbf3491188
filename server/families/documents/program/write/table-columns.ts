import { plainText, type Run, type Table } from "./document-tree.ts";

/** Width in ems beyond which a column breaks its texts. */
const widest = 34;
/** Width in ems that a long word may claim; beyond it the word is broken. */
const maxWordWidth = 12;
const narrowest = 2.2;
const boldFactor = 1.08;
/** Rows that decide the widths. */
const sampled = 500;

const isWide = (code: number): boolean => code >= 0x1100 && (code <= 0x115f || (code >= 0x2e80 && code <= 0xffdc) || code >= 0x1f300);

/** Width of a text in half-width characters; Chinese, Japanese and Korean signs take two. */
export function textWidth(text: string): number {
  let width = 0;
  for (const sign of text) width += isWide(sign.codePointAt(0) ?? 0) ? 2 : 1;
  return width;
}

/** Estimates the width of a text in ems of a usual font without serifs. */
export function emWidth(text: string): number {
  let width = 0;
  for (const sign of text) {
    if (isWide(sign.codePointAt(0) ?? 0)) width += 1;
    else if (/[ilIj.,:;|'!()[\]\s]/.test(sign)) width += 0.32;
    else if (/[mwMW%@]/.test(sign)) width += 0.92;
    else width += /\p{Lu}/u.test(sign) ? 0.68 : 0.575;
  }
  return width;
}

/** Returns the number of columns; a row may have more cells than the header. */
export const columnCount = ({ header, rows }: Table): number =>
  Math.max(1, header.length, ...rows.slice(0, 10_000).map((row) => row.length));

/** A number with its signs is never broken. */
const isNumber = (word: string): boolean => /\d/.test(word) && !/\p{L}{3,}/u.test(word);

/** Parts of a text between which a line can break. */
const wordsOf = (text: string): string[] =>
  text.split(/\s+|(?<=[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffdc])(?=[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffdc])/u);

type Needs = { narrow: number; natural: number };

/** Width in ems that a column needs: without a broken word, and without a broken line. */
function needsOf(table: Table, column: number): Needs {
  const needs = { narrow: narrowest, natural: narrowest };
  for (const [index, row] of [table.header, ...table.rows.slice(0, sampled)].entries()) {
    const factor = index === 0 ? boldFactor : 1;
    for (const line of plainText(row[column] ?? []).split("\n")) {
      needs.natural = Math.max(needs.natural, factor * emWidth(line));
      for (const word of wordsOf(line)) {
        const width = factor * emWidth(word);
        needs.narrow = Math.max(needs.narrow, isNumber(word) ? width : Math.min(maxWordWidth, width));
      }
    }
  }
  return { narrow: needs.narrow, natural: Math.max(needs.narrow, Math.min(widest, needs.natural)) };
}

/** `fontSize` is smaller than the wanted one where a number would be broken otherwise. */
export type Columns = { widths: number[]; fontSize: number };
export type Space = {
  width: number;
  fontSize: number;
  smallest: number /** Left and right of a cell's text, together. */;
  padding: number /** Width of the font in parts of a usual one. */;
  factor?: number;
};

/** Shares the width of a page among the columns: each gets its longest word, and long texts the rest. */
export function tableColumns(table: Table, { width, fontSize: wanted, smallest, padding, factor = 1 }: Space): Columns {
  const needs = Array.from({ length: columnCount(table) }, (_, column) => {
    const { narrow, natural } = needsOf(table, column);
    return { narrow: narrow * factor, natural: natural * factor };
  });
  const sum = (of: (need: Needs) => number) => needs.reduce((total, need) => total + of(need), 0);
  const free = Math.max(width - needs.length * padding, width * 0.3);
  const narrow = sum((need) => need.narrow);
  const natural = sum((need) => need.natural);
  const fontSize = Math.max(smallest, Math.min(wanted, free / narrow));
  const space = free / fontSize;
  const widths = needs.map((need) => {
    // Space that is left over is shared in parts of the contents; a lack of it narrows every column alike.
    if (space >= natural) return (need.natural / natural) * space;
    if (space <= narrow) return (need.narrow / narrow) * space;
    return need.narrow + ((need.natural - need.narrow) / (natural - narrow)) * (space - narrow);
  });
  const stretch = free / widths.reduce((total, each) => total + each, 0);
  return { widths: widths.map((each) => each * stretch + (width - free) / needs.length), fontSize };
}

/** Splits a table that does not fit into parts of about as many columns. Each part repeats the first column, which names the rows. */
export function splitColumns(table: Table, fits: (part: Table) => boolean): Table[] {
  const count = columnCount(table);
  if (count <= 2 || fits(table)) return [table];
  const partsOf = (maxColumns: number): Table[] => {
    const parts: Table[] = [];
    let columns = [0];
    for (let column = 1; column < count; column += 1) {
      const isFull = columns.length > maxColumns || !fits(withColumns(table, [...columns, column]));
      if (columns.length > 1 && isFull) {
        parts.push(withColumns(table, columns));
        columns = [0];
      }
      columns.push(column);
    }
    return [...parts, withColumns(table, columns)];
  };
  const fewest = partsOf(count);
  const even = partsOf(Math.ceil((count - 1) / fewest.length));
  return even.length > fewest.length ? fewest : even;
}

function withColumns({ header, rows, align, ...table }: Table, columns: readonly number[]): Table {
  const cells = (row: readonly Run[][]) => columns.map((column) => row[column] ?? []);
  return { ...table, header: cells(header), rows: rows.map(cells), align: columns.map((column) => align[column] ?? "left") };
}
