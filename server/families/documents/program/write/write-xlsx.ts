import type { SheetData } from "write-excel-file/node";
import writeExcelFile from "write-excel-file/node";
import type { Rendered } from "../document-task.ts";
import { type DayOrder, dateOf, dayOrderOf, numberOf } from "./cell-values.ts";
import { type Alignment, type Block, type DocumentTree, plainText, type Run } from "./document-tree.ts";
import { lowered, raised } from "./math/math-text.ts";
import { palette } from "./palette.ts";
import { layOutRows, type SheetRow, type TextStyle, textCell } from "./sheet-rows.ts";

type Sheet = {
  name: string;
  rows: SheetRow[];
  startsWithTable: boolean;
  /** Footnotes that the sheet refers to. */
  notes: Set<number>;
};

const codeFont = "Consolas";

/** Writes a workbook: one sheet per heading of the first two levels, header rows bold, grey and frozen, numbers as numbers. */
export async function writeXlsx(tree: DocumentTree): Promise<Rendered> {
  const sheets = sheetsOf(tree);
  const written = sheets.map(({ name, rows, startsWithTable }) => {
    const layout = layOutRows(rows);
    return {
      data: layout.rows as SheetData,
      sheet: name,
      stickyRowsCount: startsWithTable ? 1 : 0,
      columns: layout.widths.map((width) => ({ width })),
      ...(layout.isLandscape ? { orientation: "landscape" as const } : {}),
    };
  });
  const bytes = await writeExcelFile(written, { fontFamily: "Calibri", fontSize: 11 }).toBuffer();
  const count = sheets.reduce((sum, { rows }) => sum + rows.length, 0);
  const words = `${sheets.length} ${sheets.length === 1 ? "sheet" : "sheets"}, ${count.toLocaleString("en")} rows`;
  const pictures = tree.blocks.filter(({ kind }) => kind === "image").length;
  const notes =
    pictures > 0
      ? [`Left out: ${pictures} ${pictures === 1 ? "picture" : "pictures"}, because the workbook holds only text and tables.`]
      : [];
  return { bytes: new Uint8Array(bytes), extent: words, notes };
}

/** Text of a cell. Formulas stand in one line, and small signs take the signs of Unicode where there are any. */
const cellText = (runs: readonly Run[]): string =>
  runs
    .map((run) => {
      if (run.note) return `[${run.text}]`;
      if (run.script === "super") return raised(run.text) ?? `^${run.text}`;
      return run.script === "sub" ? (lowered(run.text) ?? run.text) : run.text;
    })
    .join("");

function sheetsOf({ front, blocks, footnotes }: DocumentTree): Sheet[] {
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
    if (block.kind === "comment" || block.kind === "rule" || block.kind === "page-break" || block.kind === "image") continue;
    if (!current) {
      current = {
        name: sheetName(name, names),
        rows: [],
        startsWithTable: block.kind === "table",
        notes: new Set(),
      };
      sheets.push(current);
    }
    addBlock(current, block);
  }
  for (const sheet of sheets) {
    if (sheet.notes.size > 0) addEmptyRow(sheet);
    for (const note of sheet.notes) addText(sheet, `[${note}] ${cellText(footnotes[note - 1] ?? [])}`);
  }
  return sheets.length > 0
    ? sheets
    : [{ name: sheetName(name, names), rows: [{ kind: "text", text: name, style: {} }], startsWithTable: false, notes: new Set() }];
}

type SheetBlock = Exclude<Block, { kind: "comment" | "rule" | "page-break" | "image" }>;

function addBlock(sheet: Sheet, block: SheetBlock): void {
  if (sheet.rows.length > 0 && (block.kind === "table" || block.kind === "heading")) addEmptyRow(sheet);
  for (const { note } of runsOf(block)) if (note) sheet.notes.add(note);
  if (block.kind === "table") addTable(sheet, block);
  else if (block.kind === "list") {
    for (const { runs, level, ordered, number } of block.items) {
      addText(sheet, `${"    ".repeat(level)}${ordered ? `${number}.` : "•"} ${cellText(runs)}`);
    }
  } else if (block.kind === "formula") addText(sheet, block.run.text);
  else if (block.kind === "code") for (const line of block.text.split("\n")) addText(sheet, line, { fontFamily: codeFont });
  else addText(sheet, cellText(block.runs), block.kind === "heading" ? { fontWeight: "bold" } : {});
}

function addTable(sheet: Sheet, { header, rows, align }: Extract<Block, { kind: "table" }>): void {
  const texts = (row: readonly Run[][]) => row.map(cellText);
  const sideOf = (column: number): Alignment => align[column] ?? "left";
  const orders = header.map((_, column) => dayOrderOf(rows.map((row) => cellText(row[column] ?? []))));
  const body = rows.map((row) => row.map((runs, column) => cell(runs, sideOf(column), orders[column] ?? null)));
  // Programs show numbers and dates at the right, where their header stands, too.
  const isOfNumbers = (column: number): boolean => {
    const values = body.flatMap((row) => row[column] ?? []);
    return values.length > 0 && values.every(({ type }) => type !== String);
  };
  const headerCells = header.map((runs, column) => {
    const side = sideOf(column);
    return headerCell(runs, side === "left" && isOfNumbers(column) ? "right" : side);
  });
  sheet.rows.push({ kind: "table", cells: headerCells, texts: texts(header), isHeader: true });
  for (const [index, row] of rows.entries()) {
    sheet.rows.push({ kind: "table", cells: body[index] ?? [], texts: texts(row), isHeader: false });
  }
}

function runsOf(block: SheetBlock): Run[] {
  switch (block.kind) {
    case "table":
      return [block.header, ...block.rows].flat(2);
    case "list":
      return block.items.flatMap(({ runs }) => runs);
    case "formula":
      return [block.run];
    case "code":
      return [];
    default:
      return block.runs;
  }
}

const addText = (sheet: Sheet, text: string, style: TextStyle = {}) => sheet.rows.push({ kind: "text", text, style });
const addEmptyRow = (sheet: Sheet) => addText(sheet, "");

const headerCell = (runs: Run[], align: Alignment) => ({
  ...textCell(cellText(runs)),
  ...(align === "left" ? {} : { align }),
  fontWeight: "bold" as const,
  backgroundColor: `#${palette.headerFill}`,
});

function cell(runs: Run[], align: Alignment, order: DayOrder | null) {
  const text = cellText(runs).trim();
  if (text === "") return null;
  const alignment = align === "left" ? {} : { align };
  const date = dateOf(text, order);
  if (date) return { value: date.at, type: Date, format: date.format, ...alignment };
  const number = numberOf(text);
  if (number) return { value: number.value, type: Number, ...alignment, ...(number.format ? { format: number.format } : {}) };
  return {
    ...textCell(text),
    ...alignment,
    ...(runs.every(({ bold }) => bold) ? { fontWeight: "bold" as const } : {}),
  };
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
