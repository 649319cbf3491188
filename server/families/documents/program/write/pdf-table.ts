import type { Content, TableCell } from "pdfmake/interfaces";
import type { Run, Table } from "./document-tree.ts";
import { hex, palette } from "./palette.ts";
import type { PdfText } from "./pdf-fonts.ts";
import { sideOf } from "./right-to-left.ts";
import { tableColumns } from "./table-columns.ts";

type TextOf = (runs: readonly Run[], fontSize: number, width: number) => PdfText[];

const smallestTableSize = 5;

/** Writes a table: columns as wide as their contents need, in letters that become smaller where they are many. */
export function pdfTable(table: Table, pageWidth: number, textOf: TextOf): Content {
  const padding = table.header.length > 8 ? 3 : table.header.length > 5 ? 4 : 6;
  const wanted = table.header.length > 6 ? 8 : 9.5;
  const lines = 0.5;
  const { widths, fontSize } = tableColumns(table, {
    width: pageWidth - lines,
    fontSize: wanted,
    smallest: smallestTableSize,
    padding: 2 * padding + lines,
  });
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
