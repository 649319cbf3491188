import type { Extracted } from "../../document-task.ts";
import { shownOrExact } from "../number-format.ts";
import type { NumberRanges } from "../number-ranges.ts";
import { columnName, SheetRows, sheetExtent, shortList, wantedSheets } from "../spreadsheet.ts";
import { TextBudget } from "../text-budget.ts";
import { type Attributes, readXml } from "../xml-events.ts";
import type { ZipContainer } from "../zip-container.ts";
import { openOdf } from "./open-odf.ts";

const part = "content.xml";
/** Repeated cells are kept up to this number; editors fill a row's empty rest with one cell that repeats. */
const maxRepeated = 256;

type Asked = { sheets: readonly string[]; rows: NumberRanges; formulas: boolean; maxChars: number };
type Note = { author: string; text: string };

/** Extracts the cells of an OpenDocument spreadsheet, in the form of other workbooks. */
export async function readOds(bytes: Uint8Array, asked: Asked): Promise<Extracted> {
  const zip = await openOdf(bytes);
  const sheets = await sheetsOf(zip);
  const names = sheets.map(({ name }) => name);
  const wanted = new Set(wantedSheets(names, asked.sheets));
  const budget = new TextBudget(asked.maxChars);
  const reader = new SheetReader(sheets, wanted, { budget, ...asked });
  await readXml(zip, part, {
    isDone: () => budget.isFull,
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
  });
  const { read, notes } = reader;
  if (reader.missing > 0) {
    const which = reader.missing === 1 ? "1 formula has" : `${reader.missing.toLocaleString("en")} formulas have`;
    notes.push(`${which} no calculated value in the file and ${reader.missing === 1 ? "is" : "are"} shown as =….`);
  }
  if (reader.pictures > 0) notes.push(`Left out: ${reader.pictures} ${reader.pictures === 1 ? "picture or chart" : "pictures or charts"}.`);
  const extent = sheetExtent(read, names.length);
  return { text: budget.toString(), method: "cell values", extent, isTruncated: budget.isTruncated, notes };
}

type OdsSheet = { name: string; isHidden: boolean; merged: string[]; hiddenColumns: string[] };

/** Returns the sheets with the facts that stand behind their first row. */
async function sheetsOf(zip: ZipContainer): Promise<OdsSheet[]> {
  const hiddenStyles = new Set<string>();
  const sheets: OdsSheet[] = [];
  let style = "";
  let [row, column, tableColumn] = [0, 0, 0];
  await readXml(zip, part, {
    open: (name, attributes) => {
      const sheet = sheets.at(-1);
      if (name === "style:style") style = attributes["style:name"] ?? "";
      else if (name === "style:table-properties" && attributes["table:display"] === "false") hiddenStyles.add(style);
      else if (name === "table:table") {
        const isHidden = hiddenStyles.has(attributes["table:style-name"] ?? "");
        sheets.push({ name: attributes["table:name"] ?? `Sheet ${sheets.length + 1}`, isHidden, merged: [], hiddenColumns: [] });
        [row, tableColumn] = [0, 0];
      } else if (name === "table:table-column") {
        const count = repeats(attributes["table:number-columns-repeated"]);
        if (isCollapsed(attributes))
          sheet?.hiddenColumns.push(rangeName(columnName(tableColumn), columnName(tableColumn + count - 1), "-"));
        tableColumn += count;
      } else if (name === "table:table-row") {
        column = 0;
        row += 1;
      } else if (name === "table:table-cell" || name === "table:covered-table-cell") {
        const [columns, rows] = [repeats(attributes["table:number-columns-spanned"]), repeats(attributes["table:number-rows-spanned"])];
        if ((columns > 1 || rows > 1) && (sheet?.merged.length ?? 0) < 10_000) {
          sheet?.merged.push(rangeName(`${columnName(column)}${row}`, `${columnName(column + columns - 1)}${row + rows - 1}`, ":"));
        }
        column += repeats(attributes["table:number-columns-repeated"]);
      }
      if (name === "table:table-row") row += repeats(attributes["table:number-rows-repeated"]) - 1;
    },
  });
  return sheets;
}

const rangeName = (from: string, to: string, sign: string): string => (from === to ? from : `${from}${sign}${to}`);
const isCollapsed = (attributes: Attributes): boolean => /^(?:collapse|filter)$/.test(attributes["table:visibility"] ?? "");

type Wishes = { budget: TextBudget; rows: NumberRanges; formulas: boolean };

class SheetReader {
  readonly read: number[] = [];
  readonly notes: string[] = [];
  missing = 0;
  pictures = 0;
  #sheet = -1;
  #lines: SheetRows;
  #row = 0;
  #rowAttributes: Attributes = {};
  #cells: string[] = [];
  #cellAttributes: Attributes = {};
  #paragraphs: string[] = [];
  #openParagraphs = 0;
  #links: string[] = [];
  #note: (Note & { part: "author" | "text" | null }) | null = null;
  #notes: Note[] = [];

  constructor(
    readonly sheets: readonly OdsSheet[],
    readonly wanted: ReadonlySet<number>,
    readonly wishes: Wishes,
  ) {
    this.#lines = new SheetRows(wishes.budget, wishes.rows);
  }

  get #isSkipped(): boolean {
    return !this.wanted.has(this.#sheet);
  }

  open(name: string, attributes: Attributes): void {
    if (name === "table:table") this.#openSheet();
    if (this.#isSkipped) return;
    if (this.#note) {
      if (name === "dc:creator") this.#note.part = "author";
      else if (name === "text:p") {
        this.#note.part = "text";
        if (this.#note.text !== "") this.#note.text += " ";
      }
    } else if (name === "office:annotation") this.#note = { author: "", text: "", part: null };
    else if (name === "table:table-row") {
      this.#cells = [];
      this.#rowAttributes = attributes;
    } else if (name === "table:table-cell" || name === "table:covered-table-cell") {
      this.#paragraphs = [];
      this.#links = [];
      this.#notes = [];
      this.#cellAttributes = attributes;
    } else if (name === "text:p") {
      this.#openParagraphs += 1;
      this.#paragraphs.push("");
    } else if (name === "text:a" && attributes["xlink:href"]) this.#links.push(attributes["xlink:href"].slice(0, 2_000));
    else if (name === "draw:frame") this.pictures += 1;
    else if (name === "text:s") this.#add(" ".repeat(Math.min(100, repeats(attributes["text:c"]))));
    else if (name === "text:tab" || name === "text:line-break") this.#add(" ");
  }

  close(name: string): void {
    if (this.#isSkipped) return;
    if (this.#note) {
      if (name === "dc:creator" || name === "text:p") this.#note.part = null;
      else if (name === "office:annotation") {
        this.#notes.push(this.#note);
        this.#note = null;
      }
    } else if (name === "text:p") this.#openParagraphs -= 1;
    else if (name === "table:table-cell" || name === "table:covered-table-cell") {
      const text = this.#cellText();
      const copies = Math.min(maxRepeated, repeats(this.#cellAttributes["table:number-columns-repeated"]));
      for (let copy = 0; copy < copies; copy += 1) this.#cells.push(text);
      this.#paragraphs = [];
    } else if (name === "table:table-row") this.#closeRow();
  }

  text(text: string): void {
    if (this.#isSkipped) return;
    if (this.#note) {
      if (this.#note.part) this.#note[this.#note.part] += text;
    } else this.#add(text.replaceAll(/\s+/g, " "));
  }

  #add(text: string): void {
    if (this.#openParagraphs > 0) this.#paragraphs.push((this.#paragraphs.pop() ?? "") + text);
  }

  #openSheet(): void {
    this.#sheet += 1;
    this.#row = 0;
    const { budget, rows } = this.wishes;
    this.#lines = new SheetRows(budget, rows);
    const sheet = this.sheets[this.#sheet];
    if (this.#isSkipped || !sheet) return;
    this.read.push(this.#sheet);
    budget.add(`\n## Sheet ${this.#sheet + 1}: ${sheet.name}${sheet.isHidden ? " (hidden)" : ""}`);
    if (sheet.merged.length > 0) budget.add(`Merged cells: ${shortList(sheet.merged)}`);
    if (sheet.hiddenColumns.length > 0) budget.add(`Hidden columns: ${shortList(sheet.hiddenColumns)}`);
  }

  #closeRow(): void {
    const rowRepeats = repeats(this.#rowAttributes["table:number-rows-repeated"]);
    const isEmpty = this.#cells.every((text) => text === "");
    const isHidden = isCollapsed(this.#rowAttributes);
    for (let copy = 0; copy < (isEmpty ? 0 : Math.min(maxRepeated, rowRepeats)); copy += 1) {
      this.#lines.add(this.#row + copy + 1, this.#cells, isHidden);
    }
    this.#row += rowRepeats;
    if (this.#lines.cutAtRow !== null && this.notes.length === 0) {
      this.notes.push(`Go on with sheets ["${this.sheets[this.#sheet]?.name}"] and rows "${this.#lines.cutAtRow}-".`);
    }
  }

  #cellText(): string {
    const value = this.#valueText();
    const links = this.#links.filter((target) => target !== value).map((target) => ` <${target}>`);
    const notes = this.#notes.map(
      ({ author, text }) => ` [note${author.trim() ? ` by ${author.trim()}` : ""}: ${text.slice(0, 2_000).trim()}]`,
    );
    return `${value}${links.join("")}${notes.join("")}`.trim();
  }

  #valueText(): string {
    const attributes = this.#cellAttributes;
    const value = shownValue(this.#paragraphs.join(" "), attributes);
    const formula = attributes["table:formula"];
    if (formula === undefined) return value;
    const readable = readableFormula(formula);
    if (value === "" && attributes["office:value-type"] === undefined) {
      this.missing += 1;
      return readable;
    }
    return this.wishes.formulas ? `${value} (${readable})` : value;
  }
}

/** Writes a formula of OpenDocument as spreadsheets show it: of:=[.B1]*[.B2] is =B1*B2. */
function readableFormula(formula: string): string {
  const plain = formula.replace(/^[a-z]+:(?==)/, "");
  return plain.replaceAll(/\[([^\]]*)\]/g, (_, reference: string) => reference.replaceAll(/(^|:)\./g, "$1"));
}

function shownValue(text: string, attributes: Attributes): string {
  const type = attributes["office:value-type"];
  const value = attributes["office:value"];
  if (type === "date") return attributes["office:date-value"]?.replace(/^(\d{4}-\d\d-\d\d)T/, "$1 ") ?? text;
  if (value !== undefined && (type === "float" || type === "percentage" || type === "currency")) {
    return text === "" ? value : shownOrExact(text.trim(), value);
  }
  return text;
}

const repeats = (count: string | undefined): number => Math.min(1_048_576, Math.max(1, Number(count) || 1));
