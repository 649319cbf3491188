import type { Content, TableCell } from "pdfmake/interfaces";
import type { Run, Table } from "./document-tree.ts";
import { readableTableSize } from "./page-orientation.ts";
import { hex, palette } from "./palette.ts";
import type { PdfText } from "./pdf-fonts.ts";
import { sideOf } from "./right-to-left.ts";
import { type Columns, splitColumns, tableColumns } from "./table-columns.ts";

type TextOf = (runs: readonly Run[], fontSize: number, width: number) => PdfText[];

const smallestTableSize = 6;
const lines = 0.5;

const paddingOf = ({ header }: Table): number => (header.length > 8 ? 3 : header.length > 5 ? 4 : 6);

function columnsOf(table: Table, pageWidth: number, smallest = smallestTableSize): Columns {
  return tableColumns(table, {
    width: pageWidth - lines,
    fontSize: table.header.length > 6 ? 8 : 9.5,
    smallest,
    padding: 2 * paddingOf(table) + lines,
  });
}

export const isTooWideForPdf = (table: Table, pageWidth: number): boolean => columnsOf(table, pageWidth).fontSize < readableTableSize;

/** Splits a table that no letters of a usable size would fit. */
export const fittingTables = (table: Table, pageWidth: number): Table[] =>
  splitColumns(table, (part) => columnsOf(part, pageWidth, 0).fontSize >= smallestTableSize);

/** Writes a table: columns as wide as their contents need, in letters that become smaller where they are many. */
export function pdfTable(table: Table, pageWidth: number, textOf: TextOf): Content {
  const padding = paddingOf(table);
  const { widths, fontSize } = columnsOf(table, pageWidth);
  const inner = widths.map((width) => Math.max(4, width - 2 * padding - lines));
  const cells = (row: Run[][], isHeader: boolean): TableCell[] =>
    inner.map((width, column) => ({
      text: textOf(row[column] ?? [], fontSize, width),
      ...alignmentOf(table.align[column], row[column] ?? []),
      ...(isHeader ? { bold: true, fillColor: hex(palette.headerFill) } : {}),
    }));
  return {
    fontSize,
    lineHeight: 1.15,
    margin: [0, 4, 0, 12],
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      widths: inner,
      body: [cells(table.header, true), ...table.rows.map((row) => cells(row, false))],
    },
    layout: {
      hLineWidth: () => lines,
      vLineWidth: () => lines,
      hLineColor: () => hex(palette.line),
      vLineColor: () => hex(palette.line),
      paddingLeft: () => padding,
      paddingRight: () => padding,
      paddingTop: () => 4,
      paddingBottom: () => 3,
    },
  };
}

/** A column whose alignment nobody chose begins each cell at the side of its text. */
const alignmentOf = (chosen: Table["align"][number] | undefined, runs: readonly Run[]) =>
  chosen && chosen !== "left" ? { alignment: chosen } : { alignment: "left" as const, ...sideOf(runs) };
