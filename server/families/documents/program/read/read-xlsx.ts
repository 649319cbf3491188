import type { Extracted } from "../document-task.ts";
import { reportProgress } from "../report-progress.ts";
import { columnOf, maxColumns, movedFormula } from "./cell-references.ts";
import type { NumberRanges } from "./number-ranges.ts";
import { type SheetDetails, sheetDetails } from "./sheet-details.ts";
import { columnName, countedParts, SheetRows, sheetExtent, shortList, wantedSheets } from "./spreadsheet.ts";
import { TextBudget } from "./text-budget.ts";
import { cellFormats, decodeEscapes, isTrue, readWorkbook, sharedStrings, withoutPrefix } from "./workbook-parts.ts";
import { readXml } from "./xml-events.ts";
import { openZip, type ZipContainer } from "./zip-container.ts";

type Asked = { sheets: readonly string[]; rows: NumberRanges; formulas: boolean; maxChars: number };

/**
 * Extracts the cells of a workbook: one section per sheet, one line per row, its number first, cells between tabs. Notes
 * and targets of links stand in their cell.
 */
export async function readXlsx(bytes: Uint8Array, asked: Asked): Promise<Extracted> {
  const zip = await openZip(bytes);
  const { sheets, startsIn1904, isUncalculated, people } = await readWorkbook(zip);
  const wanted = wantedSheets(
    sheets.map(({ name }) => name),
    asked.sheets,
  );
  const formulas = { areAllShown: asked.formulas, isUncalculated, missing: 0 };
  const values: Values = { shared: await sharedStrings(zip), formats: await cellFormats(zip, startsIn1904), formulas };
  const budget = new TextBudget(asked.maxChars);
  const notes: string[] = [];
  const read: number[] = [];
  for (const index of wanted) {
    const sheet = sheets[index];
    if (!sheet || budget.isFull) break;
    reportProgress(`Reading sheet ${sheet.name.slice(0, 60)}`);
    const details = await sheetDetails(zip, sheet.part, people);
    budget.add(`\n## Sheet ${index + 1}: ${sheet.name}${sheet.isHidden ? " (hidden)" : ""}`);
    if (details.merged.length > 0) budget.add(`Merged cells: ${shortList(details.merged)}`);
    for (const text of details.textBoxes) budget.add(`Text box: ${text}`);
    const lines = new SheetRows(budget, asked.rows);
    await readSheet(zip, sheet.part, { values, lines, budget, details });
    if (lines.cutAtRow !== null) notes.push(`Go on with sheets ["${sheet.name}"] and rows "${lines.cutAtRow}-".`);
    const leftOut = countedParts([
      [details.pictures, "picture"],
      [details.charts, "chart"],
    ]);
    if (leftOut !== "") notes.push(`Left out of sheet ${sheet.name}: ${leftOut}.`);
    read.push(index);
  }
  if (formulas.missing > 0) {
    const which = formulas.missing === 1 ? "1 formula has" : `${formulas.missing.toLocaleString("en")} formulas have`;
    notes.push(`${which} no calculated value in the file and ${formulas.missing === 1 ? "is" : "are"} shown as =….`);
  }
  const hidden = sheets.filter((sheet, index) => sheet.isHidden && !read.includes(index)).map(({ name }) => name);
  if (hidden.length > 0) notes.push(`Hidden sheets that were not asked for: ${shortList(hidden, 10)}.`);
  const extent = sheetExtent(read, sheets.length);
  return { text: budget.toString(), method: "cell values", extent, isTruncated: budget.isTruncated, notes };
}

type Values = {
  shared: readonly string[];
  formats: Awaited<ReturnType<typeof cellFormats>>;
  formulas: { areAllShown: boolean; isUncalculated: boolean; missing: number };
};
type Reading = { values: Values; lines: SheetRows; budget: TextBudget; details: SheetDetails };
type Cell = { type: string; style: number; value: string; hasValue: boolean; formula: string | null };

async function readSheet(zip: ZipContainer, part: string, { values, lines, budget, details }: Reading): Promise<void> {
  const shared = new Map<string, { formula: string; row: number; column: number }>();
  // Cells with a note may be empty, and so may their whole row.
  const noted = [...details.beside.keys()].sort((a, b) => a - b);
  let nextNoted = 0;
  let row = 0;
  let column = -1;
  let isHiddenRow = false;
  let cells: string[] = [];
  let cell: Cell = { type: "n", style: 0, value: "", hasValue: false, formula: null };
  let sharedIndex: string | null = null;
  let reading: "value" | "formula" | null = null;
  let isPhonetic = false;
  const hiddenColumns: string[] = [];
  const addNotedRows = (before: number) => {
    for (let number = noted[nextNoted]; number !== undefined && number < before; number = noted[nextNoted]) {
      lines.add(number, withBeside([], details.beside.get(number)));
      nextNoted += 1;
    }
  };
  await readXml(zip, part, {
    isDone: () => lines.isDone(row),
    open: (tag, attributes) => {
      const name = withoutPrefix(tag);
      if (name === "row") {
        row = Number(attributes.r) || row + 1;
        isHiddenRow = isTrue(attributes.hidden);
        cells = [];
        column = -1;
      } else if (name === "c") {
        column = attributes.r ? columnOf(attributes.r) : column + 1;
        cell = { type: attributes.t ?? "n", style: Number(attributes.s) || 0, value: "", hasValue: false, formula: null };
        sharedIndex = null;
      } else if (name === "v" || name === "t") {
        reading = "value";
        cell.hasValue = true;
      } else if (name === "f") {
        reading = "formula";
        cell.formula = "";
        sharedIndex = attributes.t === "shared" ? (attributes.si ?? null) : null;
      } else if (name === "col" && isTrue(attributes.hidden)) {
        const [from, to] = [Number(attributes.min), Math.min(maxColumns, Number(attributes.max))].map((number) => columnName(number - 1));
        hiddenColumns.push(from === to ? `${from}` : `${from}-${to}`);
      } else if (name === "sheetData" && hiddenColumns.length > 0) budget.add(`Hidden columns: ${shortList(hiddenColumns)}`);
      // Japanese readings stand beside the text that they spell.
      else if (name === "rPh") isPhonetic = true;
    },
    close: (tag) => {
      const name = withoutPrefix(tag);
      if (name === "v" || name === "t") reading = null;
      else if (name === "rPh") isPhonetic = false;
      else if (name === "f") {
        reading = null;
        if (sharedIndex !== null && cell.formula) shared.set(sharedIndex, { formula: cell.formula, row, column });
        const first = sharedIndex === null ? undefined : shared.get(sharedIndex);
        if (cell.formula === "" && first) cell.formula = movedFormula(first.formula, row - first.row, column - first.column);
      } else if (name === "c" && column >= 0 && column < maxColumns) {
        if (lines.has(row)) cells[column] = shownCell(cell, values);
      } else if (name === "row") {
        addNotedRows(row);
        if (noted[nextNoted] === row) nextNoted += 1;
        lines.add(row, withBeside(cells, details.beside.get(row)), isHiddenRow);
      }
    },
    text: (text) => {
      if (reading === "value" && !isPhonetic) cell.value += text;
      else if (reading === "formula") cell.formula += text;
    },
  });
  addNotedRows(Number.POSITIVE_INFINITY);
}

/** Puts notes and targets of links behind the text of their cells. */
function withBeside(cells: string[], beside: ReadonlyMap<number, string> | undefined): string[] {
  for (const [column, text] of beside ?? []) {
    const cell = cells[column] ?? "";
    // A link that shows its own target says it once.
    cells[column] = `${cell}${cell !== "" && text.startsWith(` <${cell}>`) ? text.slice(cell.length + 3) : text}`.trim();
  }
  return cells;
}

function shownCell(cell: Cell, values: Values): string {
  const value = shownValue(cell, values);
  if (cell.formula === null) return value;
  const { formulas } = values;
  const formula = `=${decodeEscapes(cell.formula)}`;
  // A formula whose value is an empty text has a value; programs that do not calculate write none, or 0 for all.
  if (value === "" && !(cell.type === "str" && cell.hasValue)) {
    formulas.missing += 1;
    return formula;
  }
  if (formulas.isUncalculated && cell.value === "0") return `${formula} (stored: 0)`;
  if (formulas.areAllShown) return `${value} (${formula})`;
  const target = /^=HYPERLINK\("([^"]{1,2000})"/i.exec(formula)?.[1];
  return target && target !== value ? `${value} <${target}>` : value;
}

function shownValue({ type, style, value }: Cell, { shared, formats }: Values): string {
  if (type === "s") return shared[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type === "n") return value === "" ? "" : formats(style)(value);
  return decodeEscapes(value);
}
