import { plainText, type Table } from "./document-tree.ts";

const widest = 60;
const narrowest = 8;
/** Rows that decide the widths. */
const sampled = 500;

/** Width of a text in half-width characters; Chinese, Japanese and Korean signs take two. */
export function textWidth(text: string): number {
  let width = 0;
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    width += code >= 0x1100 && (code <= 0x115f || (code >= 0x2e80 && code <= 0xffdc) || code >= 0x1f300) ? 2 : 1;
  }
  return width;
}

/** Returns the number of columns; a row may have more cells than the header. */
export const columnCount = ({ header, rows }: Table): number =>
  Math.max(1, header.length, ...rows.slice(0, 10_000).map((row) => row.length));

/** Returns each column's part of the table's width, by the length of its texts; the sum is 1. */
export function columnShares(table: Table): number[] {
  const weights = Array.from({ length: columnCount(table) }, (_, column) => {
    const widths = [table.header, ...table.rows.slice(0, sampled)].map((row) => textWidth(plainText(row[column] ?? [])));
    return Math.min(widest, Math.max(narrowest, ...widths)) + 4;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
