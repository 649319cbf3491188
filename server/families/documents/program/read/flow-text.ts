import type { TextBudget } from "./text-budget.ts";

const maxCellChars = 20_000;

type Table = { rowNumber: number; cells: string[]; cell: string[] };

/**
 * Builds Markdown from the paragraphs and tables of a document, in their order. Paragraphs may be nested, as those of a text
 * box are. A table in a cell becomes text of that cell.
 */
export class FlowText {
  readonly #budget: TextBudget;
  readonly #paragraphs: { prefix: string; text: string }[] = [];
  readonly #tables: Table[] = [];

  constructor(budget: TextBudget) {
    this.#budget = budget;
  }

  openParagraph(prefix = ""): void {
    this.#paragraphs.push({ prefix, text: "" });
  }

  /** Sets the mark in front of the open paragraph, such as "# " or "- ". */
  setPrefix(prefix: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) paragraph.prefix = prefix;
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
    if (table) table.cell.push(text);
    else {
      const isListItem = /^\s*(?:-|\d+\.) $/.test(paragraph.prefix);
      this.#budget.add(`${isListItem ? "" : "\n"}${paragraph.prefix}${text}`);
    }
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
