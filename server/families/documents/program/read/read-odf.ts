import type { Extracted } from "../document-task.ts";
import { FlowText } from "./flow-text.ts";
import { LeftOut } from "./left-out.ts";
import { extentOf, type NumberRanges } from "./number-ranges.ts";
import { openOdf } from "./open-odf.ts";
import { TextBudget } from "./text-budget.ts";
import { readXml, type XmlHandler } from "./xml-events.ts";

const part = "content.xml";

/** Extracts the text of an OpenDocument text or presentation. `wanted` selects slides. */
export async function readOdf(bytes: Uint8Array, isSlides: boolean, wanted: NumberRanges, maxChars: number): Promise<Extracted> {
  const zip = await openOdf(bytes);
  const budget = new TextBudget(maxChars);
  const flow = new FlowText(budget);
  let listDepth = 0;
  let slide = 0;
  const read: number[] = [];
  const leftOut = new LeftOut();
  const isSkipped = () => isSlides && !wanted.has(slide);
  await readXml(zip, part, {
    isDone: () => budget.isFull,
    ...paragraphEvents(flow, isSkipped, (noun) => leftOut.add(noun), {
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
  return { text: budget.toString(), method: "document text", extent, isTruncated: budget.isTruncated, notes: leftOut.sentences() };
}

/** Parts whose text is not shown, by their element. */
const omitted: Readonly<Record<string, string>> = { "office:annotation": "comment", "text:deletion": "tracked deletion" };

/** Adds the text of paragraphs to other events. Comments and tracked deletions are left out, and counted. */
function paragraphEvents(
  flow: Pick<FlowText, "openParagraph" | "closeParagraph" | "addText">,
  isSkipped: () => boolean,
  leaveOut: (noun: string) => void,
  other: Required<Pick<XmlHandler, "open" | "close">>,
): Required<Omit<XmlHandler, "isDone">> {
  let paragraphs = 0;
  let hidden = 0;
  return {
    open: (name, attributes) => {
      const noun = omitted[name];
      if (noun && !isSkipped()) leaveOut(noun);
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

const repeats = (count: string | undefined): number => Math.min(1_048_576, Math.max(1, Number(count) || 1));
