import type { Extracted } from "../document-task.ts";
import { FlowText } from "./flow-text.ts";
import { extentOf, type NumberRanges } from "./number-ranges.ts";
import { SheetRows, sheetExtent, wantedSheets } from "./spreadsheet.ts";
import { TextBudget } from "./text-budget.ts";
import { type Attributes, readXml, type XmlHandler } from "./xml-events.ts";
import { openZip, type ZipContainer } from "./zip-container.ts";

const part = "content.xml";
/** Repeated cells are kept up to this number; editors fill a row's empty rest with one cell that repeats. */
const maxRepeated = 256;

/** Extracts the text of an OpenDocument text or presentation. `wanted` selects slides. */
export async function readOdf(bytes: Uint8Array, isSlides: boolean, wanted: NumberRanges, maxChars: number): Promise<Extracted> {
  const zip = await openZip(bytes);
  const budget = new TextBudget(maxChars);
  const flow = new FlowText(budget);
  let listDepth = 0;
  let slide = 0;
  const read: number[] = [];
  const isSkipped = () => isSlides && !wanted.has(slide);
  await readXml(zip, part, {
    isDone: () => budget.isFull,
    ...paragraphEvents(flow, isSkipped, {
      open: (name, attributes) => {
        if (name === "draw:page") {
          slide += 1;
          if (isSkipped()) return;
          read.push(slide);
          budget.add(`\n## Slide ${slide}`);
        } else if (isSkipped()) return;
        else if (name === "presentation:notes") budget.startSection("\nNotes:");
        else if (name === "text:h") flow.setPrefix(`${"#".repeat(Math.min(6, Number(attributes["text:outline-level"]) || 1))} `);
        else if (name === "text:list") listDepth += 1;
        else if (name === "text:p" && listDepth > 0) flow.setPrefix(`${"  ".repeat(Math.min(8, listDepth - 1))}- `);
        else if (name === "table:table") flow.openTable();
      },
      close: (name) => {
        if (isSkipped()) return;
        if (name === "text:list") listDepth -= 1;
        else if (name === "presentation:notes") budget.endSection();
        else if (name === "table:table-cell" || name === "table:covered-table-cell") flow.closeCell();
        else if (name === "table:table-row") flow.closeRow();
        else if (name === "table:table") flow.closeTable();
      },
    }),
  });
  const extent = isSlides ? extentOf("slide", read, slide) : "the whole document";
  return { text: budget.toString(), method: "document text", extent, isTruncated: budget.isTruncated, notes: [] };
}

/** Extracts the cells of an OpenDocument spreadsheet, in the form of other workbooks. */
export async function readOds(bytes: Uint8Array, asked: readonly string[], rows: NumberRanges, maxChars: number): Promise<Extracted> {
  const zip = await openZip(bytes);
  const names = await sheetNames(zip);
  const wanted = new Set(wantedSheets(names, asked));
  const budget = new TextBudget(maxChars);
  const notes: string[] = [];
  const read: number[] = [];
  let sheet = -1;
  let lines = new SheetRows(budget, rows);
  let row = 0;
  let cells: string[] = [];
  let cell: string[] = [];
  let attributesOfCell: Attributes = {};
  let rowRepeats = 1;
  const flow = {
    openParagraph: () => cell.push(""),
    closeParagraph: () => {},
    addText: (text: string) => cell.push((cell.pop() ?? "") + text),
  };
  const isSkipped = () => !wanted.has(sheet);
  await readXml(zip, part, {
    isDone: () => budget.isFull,
    ...paragraphEvents(flow, isSkipped, {
      open: (name, attributes) => {
        if (name === "table:table") {
          sheet += 1;
          row = 0;
          lines = new SheetRows(budget, rows);
          if (isSkipped()) return;
          read.push(sheet);
          budget.add(`\n## Sheet ${sheet + 1}: ${names[sheet]}`);
        } else if (name === "table:table-row") {
          cells = [];
          rowRepeats = repeats(attributes["table:number-rows-repeated"]);
        } else if (name === "table:table-cell" || name === "table:covered-table-cell") {
          cell = [];
          attributesOfCell = attributes;
        }
      },
      close: (name) => {
        if (isSkipped()) return;
        if (name === "table:table-cell" || name === "table:covered-table-cell") {
          const text = shownValue(cell.join(" "), attributesOfCell);
          const copies = Math.min(maxRepeated, repeats(attributesOfCell["table:number-columns-repeated"]));
          for (let copy = 0; copy < copies; copy += 1) cells.push(text);
          cell = [];
        } else if (name === "table:table-row") {
          const isEmpty = cells.every((text) => text === "");
          for (let copy = 0; copy < (isEmpty ? 0 : Math.min(maxRepeated, rowRepeats)); copy += 1) lines.add(row + copy + 1, cells);
          row += rowRepeats;
          if (lines.cutAtRow !== null && notes.length === 0)
            notes.push(`Go on with sheets ["${names[sheet]}"] and rows "${lines.cutAtRow}-".`);
        }
      },
    }),
  });
  const extent = sheetExtent(read, names.length);
  return { text: budget.toString(), method: "cell values", extent, isTruncated: budget.isTruncated, notes };
}

async function sheetNames(zip: ZipContainer): Promise<string[]> {
  const names: string[] = [];
  await readXml(zip, part, {
    open: (name, attributes) => {
      if (name === "table:table") names.push(attributes["table:name"] ?? `Sheet ${names.length + 1}`);
    },
  });
  return names;
}

/** Adds the text of paragraphs to other events. Comments and tracked deletions are omitted. */
function paragraphEvents(
  flow: Pick<FlowText, "openParagraph" | "closeParagraph" | "addText">,
  isSkipped: () => boolean,
  other: Required<Pick<XmlHandler, "open" | "close">>,
): Required<Omit<XmlHandler, "isDone">> {
  let paragraphs = 0;
  let hidden = 0;
  return {
    open: (name, attributes) => {
      if (hidden > 0 || name === "office:annotation" || name === "text:tracked-changes") {
        hidden += 1;
        return;
      }
      const isParagraph = name === "text:p" || name === "text:h";
      if (isParagraph && !isSkipped()) {
        paragraphs += 1;
        flow.openParagraph();
      }
      if (paragraphs > 0 && name === "text:s") flow.addText(" ".repeat(Math.min(100, repeats(attributes["text:c"]))));
      if (paragraphs > 0 && name === "text:tab") flow.addText("\t");
      if (paragraphs > 0 && name === "text:line-break") flow.addText("\n");
      other.open(name, attributes);
    },
    close: (name) => {
      if (hidden > 0) {
        hidden -= 1;
        return;
      }
      if (paragraphs > 0 && (name === "text:p" || name === "text:h")) {
        paragraphs -= 1;
        flow.closeParagraph();
      }
      other.close(name);
    },
    text: (text) => {
      if (paragraphs > 0 && hidden === 0) flow.addText(text.replaceAll(/\s+/g, " "));
    },
  };
}

function shownValue(text: string, attributes: Attributes): string {
  const type = attributes["office:value-type"];
  if (type === "date") return attributes["office:date-value"] ?? text;
  if (type === "float") return attributes["office:value"] ?? text;
  return text;
}

const repeats = (count: string | undefined): number => Math.min(1_048_576, Math.max(1, Number(count) || 1));
