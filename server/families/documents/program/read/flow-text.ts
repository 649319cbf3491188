import type { TextBudget } from "./text-budget.ts";

const maxCellChars = 20_000;
const maxCovered = 1_000;

type Paragraph = { prefix: string; isListItem: boolean; text: string };
type Table = { rowNumber: number; cells: string[]; cell: string[] };

/**
 * Builds Markdown from the paragraphs and tables of a document, in their order. Paragraphs may be nested, as those of a text
 * box are. A table in a cell becomes text of that cell.
 */
export class FlowText {
  readonly #budget: TextBudget;
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables: Table[] = [];

  constructor(budget: TextBudget) {
    this.#budget = budget;
  }

  openParagraph(prefix = ""): void {
    this.#paragraphs.push({ prefix: "", isListItem: false, text: "" });
    this.setPrefix(prefix);
  }

  /** Sets the mark in front of the open paragraph, such as "# " or "- ". Items of one list have no empty line between. */
  setPrefix(prefix: string, isListItem = /^\s*(?:-|\d+\.) $/.test(prefix)): void {
    const paragraph = this.#paragraphs.at(-1);
    if (!paragraph) return;
    paragraph.prefix = prefix;
    paragraph.isListItem = isListItem;
  }

  get isInTable(): boolean {
    return this.#tables.length > 0;
  }

  addText(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) paragraph.text += text;
  }

  closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const text = paragraph.text.trim();
    if (text === "") return;
    const table = this.#tables.at(-1);
    if (table) table.cell.push(paragraph.isListItem ? `${paragraph.prefix.trim()} ${text}` : text);
    else this.#budget.add(`${paragraph.isListItem ? "" : "\n"}${paragraph.prefix}${text}`);
  }

  openTable(): void {
    this.#tables.push({ rowNumber: 0, cells: [], cell: [] });
  }

  /** Closes a cell; `repeated` copies of it stand side by side. */
  closeCell(repeated = 1): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    const text = table.cell.join(" ").slice(0, maxCellChars).toWellFormed();
    for (let copy = 0; copy < repeated; copy += 1) table.cells.push(text);
    table.cell = [];
  }

  /** Adds empty cells, such as the places that a merged cell covers. */
  addEmptyCells(count: number): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    for (let added = 0; added < Math.min(count, maxCovered); added += 1) table.cells.push("");
  }

  /** Forgets the open row. */
  dropRow(): void {
    const table = this.#tables.at(-1);
    if (table) Object.assign(table, { cells: [], cell: [] });
  }

  closeRow(): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    const { cells } = table;
    table.cells = [];
    const outer = this.#tables.at(-2);
    if (outer) {
      outer.cell.push(cells.filter((cell) => cell !== "").join(", "));
      return;
    }
    table.rowNumber += 1;
    this.#budget.add(`${table.rowNumber === 1 ? "\n" : ""}${tableRow(cells)}`);
    if (table.rowNumber === 1) this.#budget.add(`|${" --- |".repeat(cells.length)}`);
  }

  closeTable(): void {
    this.#tables.pop();
    if (this.#tables.length === 0) this.#budget.add("");
  }
}

/** Writes one row of a Markdown table. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
}
