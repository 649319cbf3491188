import { columnName } from "./spreadsheet.ts";

export const maxColumns = 16_384;

/** Returns the column from 0 of a reference such as "AB12". */
export function columnOf(reference: string): number {
  let column = 0;
  for (const sign of reference) {
    const digit = sign.charCodeAt(0) - 64;
    if (digit < 1 || digit > 26) break;
    column = column * 26 + digit;
    if (column > maxColumns) return maxColumns;
  }
  return column - 1;
}

/** Returns the row from 1 of a reference such as "AB12", and 0 for none. */
export const rowOf = (reference: string): number => Number(/^\$?[A-Z]{1,3}\$?(\d{1,7})/.exec(reference)?.[1] ?? 0);

/** A text in quotes, a name or function, or a cell with the row and column that a $ fixes. */
const token = /"[^"]*"|'[^']*'|(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w.(!])|[\p{L}_][\p{L}\d_.]*/gu;

/** Moves the relative references of a formula by rows and columns, as a formula that is filled into other cells changes. */
export function movedFormula(formula: string, rows: number, columns: number): string {
  if (rows === 0 && columns === 0) return formula;
  return formula.replaceAll(token, (all, fixedColumn?: string, column?: string, fixedRow?: string, row?: string) => {
    if (!column || !row) return all;
    const movedColumn = fixedColumn ? columnOf(column) : columnOf(column) + columns;
    const movedRow = fixedRow ? Number(row) : Number(row) + rows;
    if (movedColumn < 0 || movedRow < 1) return "#REF!";
    return `${fixedColumn}${columnName(movedColumn)}${fixedRow}${movedRow}`;
  });
}
