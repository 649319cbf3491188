import type { Cell, Row } from "write-excel-file/node";
import { textWidth } from "./table-columns.ts";

/** A line of text that stands beside no other cell, or a row of a table. */
export type SheetRow =
  | { kind: "text"; text: string; style: TextStyle }
  | { kind: "table"; cells: Row; texts: readonly string[]; isHeader: boolean };
export type TextStyle = { fontWeight?: "bold"; fontFamily?: string };

export type SheetLayout = { rows: Row[]; widths: number[]; isLandscape: boolean };

const maxCellChars = 32_767;
/** Width in half-width characters beyond which a table's column breaks its texts. */
export const widestColumn = 60;
/** Width of a line of text, as a page has it. */
const widestProse = 85;
const narrowestColumn = 8;
/** Width of a column that nobody has set. */
const usualColumn = 8;
/** Space beside a text in its cell, in characters. */
const cellSpace = 2;
const boldFactor = 1.12;
/** Points. */
const lineHeight = 15;
/** Printed on paper, wider sheets are turned. */
const uprightWidth = 88;

/** Text stays text: a cell that begins with "=" is no formula. */
export const textCell = (text: string) => ({ value: text.slice(0, maxCellChars).toWellFormed(), type: String });

/**
 * Gives columns the width of their texts, and rows the height of their lines: programs show one line of a row that has no height.
 * Text beside a table runs over the columns at its right, as many as it needs for the width of a page.
 */
export function layOutRows(rows: readonly SheetRow[]): SheetLayout {
  const tables = rows.flatMap((row) => (row.kind === "table" ? [row] : []));
  const widths: number[] = [];
  for (const { texts, isHeader } of tables) {
    for (const [column, text] of texts.entries()) {
      const width = (isHeader ? boldFactor : 1) * textWidth(text);
      widths[column] = Math.max(widths[column] ?? 0, Math.min(widestColumn, width));
    }
  }
  if (tables.length === 0) {
    const longest = rows.map((row) => (row.kind === "text" ? textWidth(row.text) : 0));
    widths[0] = Math.min(
      widestProse,
      longest.reduce((most, width) => Math.max(most, width), 0),
    );
  }
  const wide = widths.map((width) => Math.max(narrowestColumn, Math.ceil(width) + cellSpace));
  return {
    rows: rows.map((row) => (row.kind === "text" ? textRow(row, wide) : tableRow(row, wide))),
    widths: wide,
    isLandscape: wide.reduce((sum, width) => sum + width, 0) > uprightWidth,
  };
}

function textRow({ text, style }: Extract<SheetRow, { kind: "text" }>, widths: readonly number[]): Row {
  const cell = { ...textCell(text), ...style };
  const total = widths.reduce((sum, width) => sum + width, 0);
  const widest = text.split("\n").reduce((most, line) => Math.max(most, textWidth(line)), 0);
  const isOneLine = widest <= Math.max(total - cellSpace, widestProse) && !text.includes("\n");
  if (isOneLine) return [cell];
  const width = Math.max(total, widestProse + cellSpace);
  const columnSpan = widths.length + Math.ceil((width - total) / usualColumn);
  const height = lineHeight * linesIn(text, width - cellSpace);
  return [{ ...cell, wrap: true, alignVertical: "top", height, columnSpan }, ...Array<null>(columnSpan - 1).fill(null)];
}

function tableRow({ cells, texts }: Extract<SheetRow, { kind: "table" }>, widths: readonly number[]): Row {
  const lines = Math.max(1, ...texts.map((text, column) => linesIn(text, (widths[column] ?? narrowestColumn) - cellSpace)));
  if (lines === 1) return cells;
  const height = lineHeight * lines;
  return cells.map((cell): Cell | null => (isStyled(cell) ? { ...cell, wrap: true, alignVertical: "top", height } : null));
}

const isStyled = (cell: Cell | null | undefined): cell is Extract<Cell, { value?: unknown }> => typeof cell === "object" && cell !== null;

/** Estimates the lines of a text that breaks between words. */
function linesIn(text: string, width: number): number {
  return text.split("\n").reduce((sum, line) => {
    let lines = 1;
    let used = 0;
    for (const word of line.split(/(?<=\s)/)) {
      const length = textWidth(word);
      if (used > 0 && used + length > width) {
        lines += 1;
        used = 0;
      }
      // A word that is longer than a line is broken.
      lines += Math.max(0, Math.ceil(length / width) - 1);
      used = length > width ? length % width : used + length;
    }
    return sum + lines;
  }, 0);
}
