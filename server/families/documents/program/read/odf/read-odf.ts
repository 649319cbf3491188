import type { Extracted } from "../../document-task.ts";
import { LeftOut } from "../left-out.ts";
import { extentOf, type NumberRanges } from "../number-ranges.ts";
import { TextBudget } from "../text-budget.ts";
import { readXml } from "../xml-events.ts";
import { OdfStyles } from "./odf-styles.ts";
import { OdfText } from "./odf-text.ts";
import { openOdf } from "./open-odf.ts";

const body = "content.xml";
const commonStyles = "styles.xml";

/** Extracts the text of an OpenDocument text or presentation. `wanted` selects slides. */
export async function readOdf(bytes: Uint8Array, isSlides: boolean, wanted: NumberRanges, maxChars: number): Promise<Extracted> {
  const zip = await openOdf(bytes);
  const styles = new OdfStyles();
  if (zip.has(commonStyles)) await readXml(zip, commonStyles, { open: (name, attributes) => styles.open(name, attributes) });
  const budget = new TextBudget(maxChars);
  const leftOut = new LeftOut();
  const writer = new OdfText(budget, styles, leftOut);
  let slide = 0;
  const read: number[] = [];
  const isSkipped = () => isSlides && !wanted.has(slide);
  await readXml(zip, body, {
    isDone: () => budget.isFull,
    open: (name, attributes) => {
      if (name === "draw:page") {
        slide += 1;
        if (isSkipped()) return;
        read.push(slide);
        budget.add(`\n## Slide ${slide}`);
      } else if (isSkipped()) return;
      else if (name === "presentation:notes") budget.startSection("\nNotes:");
      styles.open(name, attributes);
      writer.open(name, attributes);
    },
    close: (name) => {
      if (isSkipped()) return;
      if (name === "presentation:notes") budget.endSection();
      writer.close(name);
    },
    text: (text) => {
      if (!isSkipped()) writer.text(text);
    },
  });
  const notes = writer.notes();
  if (notes.length > 0) budget.add(`\n${notes.join("\n")}`);
  const extent = isSlides ? extentOf("slide", read, slide) : "the whole document";
  return { text: budget.toString(), method: "document text", extent, isTruncated: budget.isTruncated, notes: leftOut.sentences() };
}
