import type { Extracted } from "../document-task.ts";
import { FlowText } from "./flow-text.ts";
import { TextBudget } from "./text-budget.ts";
import { readXml } from "./xml-events.ts";
import { openZip, type ZipContainer } from "./zip-container.ts";

/** Extracts the text of a Word document as Markdown: headings, lists, tables, footnotes and text boxes. */
export async function readDocx(bytes: Uint8Array, maxChars: number): Promise<Extracted> {
  const zip = await openZip(bytes);
  const budget = new TextBudget(maxChars);
  const formats = { headings: await headingStyles(zip), ordered: await orderedLists(zip) };
  await readFlow(zip, "word/document.xml", new FlowText(budget), formats, budget);
  if (zip.has("word/footnotes.xml")) await readFlow(zip, "word/footnotes.xml", new FlowText(budget), formats, budget);
  return { text: budget.toString(), method: "document text", extent: "the whole document", isTruncated: budget.isTruncated, notes: [] };
}

type Formats = {
  /** Level of the heading by the id of its style. */
  headings: ReadonlyMap<string, number>;
  /** Numbered levels of lists, as "list:level". */
  ordered: ReadonlySet<string>;
};

async function readFlow(zip: ZipContainer, part: string, flow: FlowText, formats: Formats, budget: TextBudget): Promise<void> {
  let textDepth = 0;
  let hiddenDepth = 0;
  let listLevel = 0;
  await readXml(zip, part, {
    isDone: () => budget.isFull,
    open: (name, attributes) => {
      // The fallback repeats the text of a drawing.
      if (hiddenDepth > 0 || name === "mc:Fallback") hiddenDepth += 1;
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
        const isOrdered = formats.ordered.has(`${attributes["w:val"]}:${listLevel}`);
        flow.setPrefix(`${"  ".repeat(listLevel)}${isOrdered ? "1." : "-"} `);
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

async function orderedLists(zip: ZipContainer): Promise<Set<string>> {
  const ordered = new Set<string>();
  if (!zip.has("word/numbering.xml")) return ordered;
  const levels = new Map<string, string[]>();
  let definition = "";
  let level = "";
  let list = "";
  await readXml(zip, "word/numbering.xml", {
    open: (name, attributes) => {
      if (name === "w:abstractNum") definition = attributes["w:abstractNumId"] ?? "";
      else if (name === "w:lvl") level = attributes["w:ilvl"] ?? "";
      else if (name === "w:numFmt" && attributes["w:val"] !== "bullet" && attributes["w:val"] !== "none") {
        levels.set(definition, [...(levels.get(definition) ?? []), level]);
      } else if (name === "w:num") list = attributes["w:numId"] ?? "";
      else if (name === "w:abstractNumId") {
        for (const numbered of levels.get(attributes["w:val"] ?? "") ?? []) ordered.add(`${list}:${numbered}`);
      }
    },
  });
  return ordered;
}
