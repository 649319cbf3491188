import { DocumentError } from "../document-error.ts";
import type { Extracted } from "../document-task.ts";
import { FlowText } from "./flow-text.ts";
import { LeftOut } from "./left-out.ts";
import { extentOf, type NumberRanges } from "./number-ranges.ts";
import { readChart } from "./office/read-chart.ts";
import { readDiagram } from "./office/read-diagram.ts";
import { readAddresses } from "./office/relations.ts";
import { commentAuthors, commentLines } from "./slides/slide-comments.ts";
import { SlideFlow } from "./slides/slide-flow.ts";
import { TextBudget } from "./text-budget.ts";
import { readRelations, readXml } from "./xml-events.ts";
import { openZip, type ZipContainer } from "./zip-container.ts";

const presentation = "ppt/presentation.xml";
/** Placeholders that repeat on every slide, and on every page of notes. */
const repeatedOnSlides: ReadonlySet<string> = new Set(["sldNum", "dt", "ftr"]);
const repeatedOnNotes: ReadonlySet<string> = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

/** Extracts the text of a presentation: slides in their order, with titles, lists, tables, charts, diagrams, notes, comments. */
export async function readPptx(bytes: Uint8Array, wanted: NumberRanges, maxChars: number): Promise<Extracted> {
  const zip = await openZip(bytes);
  const slides = await slideParts(zip);
  const numbers = slides.map((_, index) => index + 1).filter((number) => wanted.has(number));
  if (numbers.length === 0) throw new DocumentError("invalid", `pages: the presentation has ${slides.length} slides.`);
  const authors = await commentAuthors(zip, presentation);
  const budget = new TextBudget(maxChars);
  const leftOut = new LeftOut();
  const hidden: number[] = [];
  const read: number[] = [];
  for (const number of numbers) {
    if (budget.isFull) break;
    const part = slides[number - 1];
    if (!part) continue;
    const isHidden = await isSlideHidden(zip, part);
    if (isHidden) hidden.push(number);
    budget.add(`\n## Slide ${number}${isHidden ? " (hidden)" : ""}`);
    await readShapes(zip, part, budget, leftOut, repeatedOnSlides);
    for (const { target, type } of (await readRelations(zip, part)).values()) {
      if (!zip.has(target)) continue;
      if (type === "comments") for (const line of ["", ...(await commentLines(zip, target, authors))]) budget.add(line);
      if (type !== "notesSlide") continue;
      budget.startSection("\nNotes:");
      await readShapes(zip, target, budget, new LeftOut(), repeatedOnNotes);
      budget.endSection();
    }
    read.push(number);
  }
  const extent = extentOf("slide", read, slides.length);
  const notes = [
    ...leftOut.sentences(),
    ...(hidden.length > 0 ? [`Hidden in a show, but read: ${extentOf("slide", hidden, Number.NaN).replace(/ of NaN$/, "")}.`] : []),
    ...(budget.isTruncated ? [`Go on with pages "${read.at(-1)}-".`] : []),
  ];
  return { text: budget.toString(), method: "slide text", extent, isTruncated: budget.isTruncated, notes };
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

async function isSlideHidden(zip: ZipContainer, part: string): Promise<boolean> {
  let show: string | undefined;
  let isRead = false;
  await readXml(zip, part, {
    open: (name, attributes) => {
      if (name === "p:sld") show = attributes.show;
      isRead = true;
    },
    isDone: () => isRead,
  });
  return show === "0" || show === "false";
}

async function readShapes(
  zip: ZipContainer,
  part: string,
  budget: TextBudget,
  leftOut: LeftOut,
  repeated: ReadonlySet<string>,
): Promise<void> {
  const drawings = await drawingsOf(zip, part);
  const drawing = (relation: string) => {
    const lines = drawings.get(relation);
    if (!lines) leftOut.add("chart or diagram");
    for (const line of lines ?? []) budget.add(line);
  };
  const slide = new SlideFlow({
    flow: new FlowText(budget),
    leftOut,
    addresses: await readAddresses(zip, part),
    repeated,
    hasBullets: repeated === repeatedOnSlides,
    drawing,
  });
  await readXml(zip, part, {
    isDone: () => budget.isFull,
    open: (name, attributes) => slide.open(name, attributes),
    close: (name) => {
      if (name === "p:pic") slide.picture();
      slide.close(name);
    },
    text: (text) => slide.text(text),
  });
}

async function drawingsOf(zip: ZipContainer, part: string): Promise<Map<string, string[]>> {
  const drawings = new Map<string, string[]>();
  for (const [id, { target, type }] of await readRelations(zip, part)) {
    if (!zip.has(target)) continue;
    if (type === "chart") drawings.set(id, ["", ...(await readChart(zip, target))]);
    else if (type === "diagramData") drawings.set(id, ["", ...(await readDiagram(zip, target))]);
  }
  return drawings;
}
