import { DocumentError } from "../document-error.ts";
import type { Extracted } from "../document-task.ts";
import { FlowText } from "./flow-text.ts";
import { extentOf, type NumberRanges } from "./number-ranges.ts";
import { TextBudget } from "./text-budget.ts";
import { readRelations, readXml } from "./xml-events.ts";
import { openZip, type ZipContainer } from "./zip-container.ts";

const presentation = "ppt/presentation.xml";

/** Extracts the text of a presentation: slides in their order, tables, and speaker notes. */
export async function readPptx(bytes: Uint8Array, wanted: NumberRanges, maxChars: number): Promise<Extracted> {
  const zip = await openZip(bytes);
  const slides = await slideParts(zip);
  const numbers = slides.map((_, index) => index + 1).filter((number) => wanted.has(number));
  if (numbers.length === 0) throw new DocumentError("invalid", `pages: the presentation has ${slides.length} slides.`);
  const budget = new TextBudget(maxChars);
  const read: number[] = [];
  for (const number of numbers) {
    if (budget.isFull) break;
    const part = slides[number - 1];
    if (!part) continue;
    budget.add(`\n## Slide ${number}`);
    await readShapes(zip, part, budget, new Set(["sldNum", "dt", "ftr"]));
    const notes = [...(await readRelations(zip, part)).values()].find(({ type }) => type === "notesSlide");
    if (notes && zip.has(notes.target)) {
      budget.startSection("\nNotes:");
      await readShapes(zip, notes.target, budget, new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]));
      budget.endSection();
    }
    read.push(number);
  }
  const extent = extentOf("slide", read, slides.length);
  return { text: budget.toString(), method: "slide text", extent, isTruncated: budget.isTruncated, notes: [] };
}

async function slideParts(zip: ZipContainer): Promise<string[]> {
  const relations = await readRelations(zip, presentation);
  const parts: string[] = [];
  await readXml(zip, presentation, {
    open: (name, attributes) => {
      const target = name === "p:sldId" ? relations.get(attributes["r:id"] ?? "")?.target : undefined;
      if (target && zip.has(target)) parts.push(target);
    },
  });
  return parts;
}

/** @param hidden types of placeholders that repeat on every slide */
async function readShapes(zip: ZipContainer, part: string, budget: TextBudget, hidden: ReadonlySet<string>): Promise<void> {
  const flow = new FlowText(budget);
  let isText = false;
  let isHidden = false;
  await readXml(zip, part, {
    isDone: () => budget.isFull,
    open: (name, attributes) => {
      if (name === "p:sp") isHidden = false;
      else if (name === "p:ph") isHidden = hidden.has(attributes.type ?? "");
      else if (isHidden) return;
      else if (name === "a:p") flow.openParagraph();
      else if (name === "a:pPr") flow.setPrefix("  ".repeat(Math.min(8, Number(attributes.lvl) || 0)));
      else if (name === "a:t") isText = true;
      else if (name === "a:br") flow.addText("\n");
      else if (name === "a:tbl") flow.openTable();
    },
    close: (name) => {
      if (name === "p:sp") isHidden = false;
      else if (isHidden) return;
      else if (name === "a:t") isText = false;
      else if (name === "a:p") flow.closeParagraph();
      else if (name === "a:tc") flow.closeCell();
      else if (name === "a:tr") flow.closeRow();
      else if (name === "a:tbl") flow.closeTable();
    },
    text: (text) => {
      if (isText && !isHidden) flow.addText(text);
    },
  });
}
