import { DocumentError } from "../document-error.ts";
import { extentOf, type NumberRanges } from "./number-ranges.ts";
import type { TextBudget } from "./text-budget.ts";

/** Selects sheets by name or by number. An empty selection means all. @throws DocumentError that lists the sheets */
export function wantedSheets(names: readonly string[], wanted: readonly string[]): number[] {
  if (wanted.length === 0) return names.map((_, index) => index);
  return wanted.map((asked) => {
    const exact = names.indexOf(asked);
    const near = exact === -1 ? names.findIndex((name) => name.toLowerCase() === asked.trim().toLowerCase()) : exact;
    const number = near === -1 && /^\d{1,4}$/.test(asked.trim()) ? Number(asked) - 1 : near;
    if (names[number] === undefined) {
      const known = names.slice(0, 30).map((name, index) => `${index + 1} ${name}`);
      throw new DocumentError("invalid", `sheets: there is no sheet "${asked.slice(0, 60)}". The sheets are ${known.join(", ")}.`);
    }
    return number;
  });
}

/** Describes which sheets were read. */
export const sheetExtent = (read: readonly number[], total: number): string =>
  extentOf(
    "sheet",
    read.map((index) => index + 1),
    total,
  );

/** Returns the letters of a column that counts from 0. */
export function columnName(column: number): string {
  const rest = String.fromCharCode(65 + (column % 26));
  return column < 26 ? rest : columnName(Math.floor(column / 26) - 1) + rest;
}

/** Names places or ranges, the first ones only. */
export const shortList = (names: readonly string[], most = 40): string =>
  names.length > most ? `${names.slice(0, most).join(", ")} and ${names.length - most} more` : names.join(", ");

/** Says how many pictures, charts and other parts have no text. */
export function countedParts(parts: readonly (readonly [count: number, noun: string])[]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? "" : "s"}`)
    .join(", ");
}

/** Writes the rows of one sheet as lines with tabs. Empty rows are omitted; their numbers show the gap. */
export class SheetRows {
  readonly #budget: TextBudget;
  readonly #rows: NumberRanges;
  /** The row that did not fit. */
  cutAtRow: number | null = null;

  constructor(budget: TextBudget, rows: NumberRanges) {
    this.#budget = budget;
    this.#rows = rows;
  }

  isDone(nextRow: number): boolean {
    return this.cutAtRow !== null || nextRow > this.#rows.last;
  }

  has(number: number): boolean {
    return this.cutAtRow === null && this.#rows.has(number);
  }

  add(number: number, cells: readonly string[], isHidden = false): void {
    if (this.cutAtRow !== null || !this.#rows.has(number)) return;
    let end = cells.length;
    while (end > 0 && !cells[end - 1]) end -= 1;
    if (end === 0) return;
    const line = Array.from({ length: end }, (_, index) => (cells[index] ?? "").replaceAll(/[\t\r\n]+/g, " ")).join("\t");
    if (!this.#budget.add(`${number}${isHidden ? " (hidden)" : ""}\t${line}`)) this.cutAtRow = number;
  }
}
