import { DocumentError } from "../document-error.ts";
import type { Extracted } from "../document-task.ts";
import { reportProgress } from "../report-progress.ts";
import type { NumberRanges } from "./number-ranges.ts";
import { SheetRows, sheetExtent, wantedSheets } from "./spreadsheet.ts";
import { TextBudget } from "./text-budget.ts";
import { readRelations, readXml } from "./xml-events.ts";
import { openZip, type ZipContainer } from "./zip-container.ts";

const workbook = "xl/workbook.xml";
const maxColumns = 16_384;
const maxSharedChars = 100_000_000;

/** Extracts the cells of a workbook: one section per sheet, one line per row, its number first, cells between tabs. */
export async function readXlsx(bytes: Uint8Array, asked: readonly string[], rows: NumberRanges, maxChars: number): Promise<Extracted> {
  const zip = await openZip(bytes);
  const { sheets, startsIn1904 } = await workbookSheets(zip);
  const wanted = wantedSheets(
    sheets.map(({ name }) => name),
    asked,
  );
  const values = { shared: await sharedStrings(zip), dates: await dateStyles(zip), startsIn1904 };
  const budget = new TextBudget(maxChars);
  const notes: string[] = [];
  const read: number[] = [];
  for (const index of wanted) {
    const sheet = sheets[index];
    if (!sheet || budget.isFull) break;
    reportProgress(`Reading sheet ${sheet.name.slice(0, 60)}`);
    budget.add(`\n## Sheet ${index + 1}: ${sheet.name}`);
    const lines = new SheetRows(budget, rows);
    await readSheet(zip, sheet.part, values, lines);
    if (lines.cutAtRow !== null) notes.push(`Go on with sheets ["${sheet.name}"] and rows "${lines.cutAtRow}-".`);
    read.push(index);
  }
  const extent = sheetExtent(read, sheets.length);
  return { text: budget.toString(), method: "cell values", extent, isTruncated: budget.isTruncated, notes };
}

type Values = { shared: readonly string[]; dates: ReadonlySet<number>; startsIn1904: boolean };

async function workbookSheets(zip: ZipContainer): Promise<{ sheets: { name: string; part: string }[]; startsIn1904: boolean }> {
  const relations = await readRelations(zip, workbook);
  const sheets: { name: string; part: string }[] = [];
  let startsIn1904 = false;
  await readXml(zip, workbook, {
    open: (tag, attributes) => {
      const name = withoutPrefix(tag);
      if (name === "workbookPr") startsIn1904 = attributes.date1904 === "1" || attributes.date1904 === "true";
      const part = name === "sheet" ? relations.get(attributes["r:id"] ?? "")?.target : undefined;
      if (part && zip.has(part)) sheets.push({ name: attributes.name ?? `Sheet ${sheets.length + 1}`, part });
    },
  });
  return { sheets, startsIn1904 };
}

async function sharedStrings(zip: ZipContainer): Promise<string[]> {
  const strings: string[] = [];
  if (!zip.has("xl/sharedStrings.xml")) return strings;
  let pieces: string[] = [];
  let isText = false;
  let isPhonetic = false;
  let chars = 0;
  await readXml(zip, "xl/sharedStrings.xml", {
    open: (tag) => {
      const name = withoutPrefix(tag);
      if (name === "si") pieces = [];
      else if (name === "t") isText = true;
      else if (name === "rPh") isPhonetic = true;
    },
    close: (tag) => {
      const name = withoutPrefix(tag);
      if (name === "si") strings.push(pieces.join(""));
      else if (name === "t") isText = false;
      else if (name === "rPh") isPhonetic = false;
    },
    text: (text) => {
      if (!isText || isPhonetic) return;
      chars += text.length;
      if (chars > maxSharedChars) throw new DocumentError("too_large", "The workbook has more than 100 million characters of text.");
      pieces.push(text);
    },
  });
  return strings;
}

/** Returns the indexes of the cell styles that show a number as a date. */
async function dateStyles(zip: ZipContainer): Promise<Set<number>> {
  const dates = new Set<number>();
  if (!zip.has("xl/styles.xml")) return dates;
  const dateFormats = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
  let isInCells = false;
  let style = 0;
  await readXml(zip, "xl/styles.xml", {
    open: (tag, attributes) => {
      const name = withoutPrefix(tag);
      if (name === "numFmt" && isDateFormat(attributes.formatCode ?? "")) dateFormats.add(Number(attributes.numFmtId));
      else if (name === "cellXfs") isInCells = true;
      else if (name === "xf" && isInCells) {
        if (dateFormats.has(Number(attributes.numFmtId))) dates.add(style);
        style += 1;
      }
    },
    close: (tag) => {
      if (withoutPrefix(tag) === "cellXfs") isInCells = false;
    },
  });
  return dates;
}

/** Returns whether a number format has parts of a date outside of quoted text and colours. */
function isDateFormat(format: string): boolean {
  return /[dmyhs]/i.test(
    format.slice(0, 255).replaceAll(/"[^"]*"|\\.|\[(?:red|black|blue|green|white|yellow|cyan|magenta)\]|general/gi, ""),
  );
}

async function readSheet(zip: ZipContainer, part: string, values: Values, lines: SheetRows): Promise<void> {
  let row = 0;
  let column = -1;
  let cells: string[] = [];
  let type = "";
  let style = 0;
  let value = "";
  let isValue = false;
  await readXml(zip, part, {
    isDone: () => lines.isDone(row),
    open: (tag, attributes) => {
      const name = withoutPrefix(tag);
      if (name === "row") {
        row = Number(attributes.r) || row + 1;
        cells = [];
        column = -1;
      } else if (name === "c") {
        column = attributes.r ? columnOf(attributes.r) : column + 1;
        type = attributes.t ?? "n";
        style = Number(attributes.s) || 0;
        value = "";
      } else if (name === "v" || name === "t") isValue = true;
    },
    close: (tag) => {
      const name = withoutPrefix(tag);
      if (name === "v" || name === "t") isValue = false;
      else if (name === "c" && column >= 0 && column < maxColumns) cells[column] = shownValue(value, type, style, values);
      else if (name === "row") lines.add(row, cells);
    },
    text: (text) => {
      if (isValue) value += text;
    },
  });
}

function shownValue(value: string, type: string, style: number, { shared, dates, startsIn1904 }: Values): string {
  if (type === "s") return shared[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type === "n" && value !== "" && dates.has(style)) return dateText(Number(value), startsIn1904);
  return value;
}

const dayMs = 86_400_000;

/** Writes a serial date as ISO 8601, without a time at midnight and without a date below one day. */
function dateText(serial: number, startsIn1904: boolean): string {
  const at = new Date(Date.UTC(1899, 11, 30) + Math.round((serial + (startsIn1904 ? 1_462 : 0)) * 86_400) * 1_000);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9_999) return String(serial);
  const [date = "", time = ""] = at.toISOString().slice(0, 19).split("T");
  if (serial < 1) return time;
  return at.getTime() % dayMs === 0 ? date : `${date} ${time}`;
}

/** Returns the column from 0 of a reference such as "AB12". */
function columnOf(reference: string): number {
  let column = 0;
  for (const sign of reference) {
    const digit = sign.charCodeAt(0) - 64;
    if (digit < 1 || digit > 26) break;
    column = column * 26 + digit;
    if (column > maxColumns) return maxColumns;
  }
  return column - 1;
}

const withoutPrefix = (tag: string): string => tag.slice(tag.indexOf(":") + 1);
