import type { Row, SheetData } from "write-excel-file/node";
import writeExcelFile from "write-excel-file/node";
import type { Rendered } from "../document-task.ts";
import { type Block, type DocumentTree, plainText, type Run } from "./document-tree.ts";
import { palette } from "./palette.ts";
import { textWidth } from "./table-columns.ts";

type Sheet = { name: string; rows: Row[]; startsWithTable: boolean; hasTable: boolean; widths: number[] };

const maxCellChars = 32_767;
const widestColumn = 60;
/** Width of a column that holds only text, as a page has it. */
const widestProse = 100;

/** Writes a workbook: one sheet per heading of the first two levels, header rows bold, grey and frozen, numbers as numbers. */
export async function writeXlsx(tree: DocumentTree): Promise<Rendered> {
  const sheets = sheetsOf(tree);
  const written = sheets.map(({ name, rows, startsWithTable, widths }) => ({
    data: rows as SheetData,
    sheet: name,
    stickyRowsCount: startsWithTable ? 1 : 0,
    columns: widths.map((width) => ({ width: Math.max(8, width + 2) })),
  }));
  const bytes = await writeExcelFile(written, { fontFamily: "Calibri", fontSize: 11 }).toBuffer();
  const count = sheets.reduce((sum, { rows }) => sum + rows.length, 0);
  const words = `${sheets.length} ${sheets.length === 1 ? "sheet" : "sheets"}, ${count.toLocaleString("en")} rows`;
  return { bytes: new Uint8Array(bytes), extent: words, notes: [] };
}

function sheetsOf({ front, blocks }: DocumentTree): Sheet[] {
  const names = new Set<string>();
  const sheets: Sheet[] = [];
  let name = front.title ?? "Sheet1";
  let current: Sheet | null = null;
  for (const block of blocks) {
    if (block.kind === "heading" && block.level <= 2) {
      name = plainText(block.runs);
      current = null;
      continue;
    }
    if (block.kind === "comment" || block.kind === "rule" || block.kind === "image") continue;
    if (!current) {
      current = { name: sheetName(name, names), rows: [], startsWithTable: block.kind === "table", hasTable: false, widths: [] };
      sheets.push(current);
    }
    addBlock(current, block);
  }
  return sheets.length > 0
    ? sheets
    : [{ name: sheetName(name, names), rows: [[{ value: name, type: String }]], startsWithTable: false, hasTable: false, widths: [] }];
}

function addBlock(sheet: Sheet, block: Exclude<Block, { kind: "comment" | "rule" | "image" }>): void {
  if (sheet.rows.length > 0 && (block.kind === "table" || block.kind === "heading")) sheet.rows.push([]);
  if (block.kind === "table") {
    if (!sheet.hasTable) sheet.widths = [];
    sheet.hasTable = true;
    sheet.rows.push(block.header.map(headerCell));
    for (const row of block.rows) sheet.rows.push(row.map((runs, column) => cell(runs, block.align[column] ?? "left")));
    for (const row of [block.header, ...block.rows]) {
      row.forEach((runs, column) => {
        sheet.widths[column] = Math.max(sheet.widths[column] ?? 0, Math.min(widestColumn, textWidth(plainText(runs))));
      });
    }
    return;
  }
  if (block.kind === "list") for (const item of block.items) addText(sheet, plainText(item.runs));
  else if (block.kind === "code") for (const line of block.text.split("\n")) addText(sheet, line);
  else addText(sheet, plainText(block.runs), block.kind === "heading" ? { fontWeight: "bold" } : {});
}

/** Adds a row of text. Beside a table it runs over the columns, which keep the widths of the table. */
function addText(sheet: Sheet, text: string, style: { fontWeight?: "bold" } = {}): void {
  const isProse = !sheet.hasTable;
  if (isProse) sheet.widths[0] = Math.max(sheet.widths[0] ?? 0, Math.min(widestProse, textWidth(text)));
  sheet.rows.push([{ ...textCell(text), ...style, ...(isProse && textWidth(text) > widestProse ? { wrap: true } : {}) }]);
}

/** Text stays text: a cell that begins with "=" is no formula. */
const textCell = (text: string) => ({ value: text.slice(0, maxCellChars).toWellFormed(), type: String });

const headerCell = (runs: Run[]) => ({
  ...textCell(plainText(runs)),
  fontWeight: "bold" as const,
  backgroundColor: `#${palette.headerFill}`,
});

function cell(runs: Run[], align: "left" | "center" | "right") {
  const text = plainText(runs).trim();
  if (text === "") return null;
  const alignment = align === "left" ? {} : { align };
  const date = dateOf(text);
  if (date) return { value: date.at, type: Date, format: date.format, ...alignment };
  const number = numberOf(text);
  if (number) return { value: number.value, type: Number, ...alignment, ...(number.format ? { format: number.format } : {}) };
  return {
    ...textCell(text),
    wrap: textWidth(text) > widestColumn,
    ...alignment,
    ...(runs.every(({ bold }) => bold) ? { fontWeight: "bold" as const } : {}),
  };
}

/** Reads a date in the form of ISO 8601; null for text, for days that are none, and for days before those of spreadsheets. */
function dateOf(text: string): { at: Date; format: string } | null {
  const [, day = "", hours, seconds] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?)?$/.exec(text) ?? [];
  if (day < "1900-03-01") return null;
  const at = new Date(`${day}T${hours ?? "00:00"}${seconds ?? ":00"}Z`);
  // The constructor takes the 30th of February for a day in March.
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day) return null;
  return { at, format: `yyyy-mm-dd${hours ? ` hh:mm${seconds ? ":ss" : ""}` : ""}` };
}

/** Reads a number as people write it; null for text, and for numbers that a spreadsheet would change: 007, 20 digits. */
function numberOf(text: string): { value: number; format?: string } | null {
  const [, sign = "", whole = "", fraction = "", percent] = /^(-?)(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,15})?(\s?%)?$/.exec(text) ?? [];
  if (whole === "" || (/^0\d/.test(whole) && whole.length > 1)) return null;
  const digits = whole.replaceAll(",", "");
  if (digits.length + fraction.length > 16) return null;
  const value = Number(`${sign}${digits}${fraction}`);
  const decimals = "0".repeat(Math.max(0, fraction.length - 1));
  if (percent) return { value: value / 100, format: `0${decimals ? `.${decimals}` : ""}%` };
  // The cell shows as many decimals as were written: 987.10 and not 987.1.
  if (whole.includes(",")) return { value, format: `#,##0${decimals ? `.${decimals}` : ""}` };
  return decimals ? { value, format: `0.${decimals}` } : { value };
}

/** Makes a sheet's name: 31 characters, without signs that Excel refuses, different from the others. */
function sheetName(wanted: string, taken: Set<string>): string {
  const plain = wanted
    .replaceAll(/[[\]:*?/\\]/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[' ]+|[' ]+$/g, "");
  const base = plain === "" || plain.toLowerCase() === "history" ? `Sheet${taken.size + 1}` : plain;
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const name = `${base
      .slice(0, 31 - suffix.length)
      .toWellFormed()
      .trim()}${suffix}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}
