import type { Extracted } from "../document-task.ts";
import { FlowText } from "./flow-text.ts";
import { TextBudget } from "./text-budget.ts";
import { type Attributes, readXml } from "./xml-events.ts";
import { openZip, type ZipContainer } from "./zip-container.ts";

/** Extracts the text of a Word document as Markdown: headings, lists, tables, footnotes and text boxes. */
export async function readDocx(bytes: Uint8Array, maxChars: number): Promise<Extracted> {
  const zip = await openZip(bytes);
  const budget = new TextBudget(maxChars);
  const formats = { headings: await headingStyles(zip), starts: await listStarts(zip) };
  await readFlow(zip, "word/document.xml", new FlowText(budget), formats, budget);
  if (zip.has("word/footnotes.xml")) await readFlow(zip, "word/footnotes.xml", new FlowText(budget), formats, budget);
  return { text: budget.toString(), method: "document text", extent: "the whole document", isTruncated: budget.isTruncated, notes: [] };
}

const deepestLevel = 8;

type Formats = {
  /** Level of the heading by the id of its style. */
  headings: ReadonlyMap<string, number>;
  /** First number of each numbered level, by "list:level". */
  starts: ReadonlyMap<string, number>;
};

async function readFlow(zip: ZipContainer, part: string, flow: FlowText, formats: Formats, budget: TextBudget): Promise<void> {
  let textDepth = 0;
  let hiddenDepth = 0;
  let listLevel = 0;
  const numbers = new ListNumbers(formats.starts);
  await readXml(zip, part, {
    isDone: () => budget.isFull,
    open: (name, attributes) => {
      if (hiddenDepth > 0 || isRepeated(name, attributes)) hiddenDepth += 1;
      else if (name === "w:p") flow.openParagraph();
      else if (name === "w:t") textDepth += 1;
      else if (name === "w:tab") flow.addText("\t");
      else if (name === "w:br" || name === "w:cr") flow.addText("\n");
      else if (name === "w:noBreakHyphen") flow.addText("-");
      else if (name === "w:pStyle") {
        const level = formats.headings.get(attributes["w:val"] ?? "");
        if (level) flow.setPrefix(`${"#".repeat(level)} `);
      } else if (name === "w:ilvl") listLevel = Math.min(8, Number(attributes["w:val"]) || 0);
      else if (name === "w:numPr") listLevel = 0;
      else if (name === "w:numId" && attributes["w:val"] !== "0") {
        const number = numbers.next(attributes["w:val"] ?? "", listLevel);
        flow.setPrefix(`${"  ".repeat(listLevel)}${number === null ? "-" : `${number}.`} `);
      } else if (name === "w:footnoteReference") flow.addText(`[^${attributes["w:id"] ?? ""}]`);
      else if (name === "w:footnoteRef") flow.addText("Footnote: ");
      else if (name === "w:tbl") flow.openTable();
    },
    close: (name) => {
      if (hiddenDepth > 0) hiddenDepth -= 1;
      else if (name === "w:p") flow.closeParagraph();
      else if (name === "w:t") textDepth -= 1;
      else if (name === "w:tc") flow.closeCell();
      else if (name === "w:tr") flow.closeRow();
      else if (name === "w:tbl") flow.closeTable();
    },
    text: (text) => {
      if (textDepth > 0 && hiddenDepth === 0) flow.addText(text);
    },
  });
}

/** The fallback repeats the text of a drawing, and the lines above footnotes are no footnotes. */
const isRepeated = (name: string, attributes: Attributes): boolean =>
  name === "mc:Fallback" || (name === "w:footnote" && (attributes["w:type"] ?? "normal") !== "normal");

/** Counts the items of numbered lists. A level begins anew below each item of a level above it. */
class ListNumbers {
  readonly #starts: ReadonlyMap<string, number>;
  readonly #last = new Map<string, number>();

  constructor(starts: ReadonlyMap<string, number>) {
    this.#starts = starts;
  }

  /** Returns null for a list with bullets. */
  next(list: string, level: number): number | null {
    for (let deeper = level + 1; deeper <= deepestLevel; deeper += 1) this.#last.delete(`${list}:${deeper}`);
    const key = `${list}:${level}`;
    const start = this.#starts.get(key);
    if (start === undefined) return null;
    const number = (this.#last.get(key) ?? start - 1) + 1;
    this.#last.set(key, number);
    return number;
  }
}

async function headingStyles(zip: ZipContainer): Promise<Map<string, number>> {
  const headings = new Map<string, number>();
  if (!zip.has("word/styles.xml")) return headings;
  let style = "";
  await readXml(zip, "word/styles.xml", {
    open: (name, attributes) => {
      if (name === "w:style") style = attributes["w:styleId"] ?? "";
      const value = attributes["w:val"] ?? "";
      if (name === "w:name" && value.toLowerCase() === "title") headings.set(style, 1);
      const level = name === "w:name" ? Number(/^heading ([1-6])$/i.exec(value)?.[1]) : 0;
      if (level) headings.set(style, level);
      else if (name === "w:outlineLvl" && Number(value) < 6 && !headings.has(style)) headings.set(style, Number(value) + 1);
    },
  });
  return headings;
}

async function listStarts(zip: ZipContainer): Promise<Map<string, number>> {
  const starts = new Map<string, number>();
  if (!zip.has("word/numbering.xml")) return starts;
  /** Numbered levels of a definition, with their first numbers. */
  const definitions = new Map<string, Map<string, number>>();
  let definition = "";
  let level = "";
  let first = 1;
  let list = "";
  const numberOf = (attributes: Attributes) => Math.max(0, Math.trunc(Number(attributes["w:val"])) || 0);
  await readXml(zip, "word/numbering.xml", {
    open: (name, attributes) => {
      if (name === "w:abstractNum") definition = attributes["w:abstractNumId"] ?? "";
      else if (name === "w:lvl") {
        level = attributes["w:ilvl"] ?? "";
        first = 1;
      } else if (name === "w:start") first = numberOf(attributes);
      else if (name === "w:numFmt" && attributes["w:val"] !== "bullet" && attributes["w:val"] !== "none") {
        definitions.set(definition, (definitions.get(definition) ?? new Map<string, number>()).set(level, first));
      } else if (name === "w:num") list = attributes["w:numId"] ?? "";
      else if (name === "w:abstractNumId") {
        for (const [numbered, start] of definitions.get(attributes["w:val"] ?? "") ?? []) starts.set(`${list}:${numbered}`, start);
      } else if (name === "w:lvlOverride") level = attributes["w:ilvl"] ?? "";
      else if (name === "w:startOverride" && starts.has(`${list}:${level}`)) starts.set(`${list}:${level}`, numberOf(attributes));
    },
  });
  return starts;
}
