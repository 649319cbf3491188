import type { ChangesMode, Extracted } from "../document-task.ts";
import { FlowText } from "./flow-text.ts";
import { LeftOut } from "./left-out.ts";
import { readChart } from "./office/read-chart.ts";
import { readDiagram } from "./office/read-diagram.ts";
import { readAddresses } from "./office/relations.ts";
import { TextBudget } from "./text-budget.ts";
import { ListLabels } from "./word/list-labels.ts";
import { Revisions } from "./word/revisions.ts";
import { type WordContext, WordFlow } from "./word/word-flow.ts";
import { commentThreads, NoteMarks, readNotes } from "./word/word-notes.ts";
import { readStyles } from "./word/word-styles.ts";
import { readRelations, readXml } from "./xml-events.ts";
import { openZip, type ZipContainer } from "./zip-container.ts";

const usualPart = "word/document.xml";

/**
 * Extracts the text of a Word document as Markdown: headings, numbers of lists, tables, equations, notes, comments, headers
 * and footers. Tracked changes are shown as asked.
 */
export async function readDocx(bytes: Uint8Array, changes: ChangesMode, maxChars: number): Promise<Extracted> {
  const zip = await openZip(bytes);
  const main = await mainPart(zip);
  const parts = await readRelations(zip, main);
  const partOf = (type: string) => [...parts.values()].find((relation) => relation.type === type)?.target;
  const styles = await readStyles(zip, partOf("styles") ?? "word/styles.xml");
  const labels = new ListLabels((style) => styles.of(style).list.id);
  await labels.read(zip, partOf("numbering") ?? "word/numbering.xml");
  const marks = new NoteMarks();
  const revisions = new Revisions(changes);
  const leftOut = new LeftOut();
  const drawings = await readDrawings(zip, parts);
  const budget = new TextBudget(maxChars);
  const context: WordContext = {
    styles,
    labels,
    revisions,
    leftOut,
    markOf: (kind, id, ownMark) => marks.mark(kind, id, ownMark),
    drawing: (relation) => {
      const lines = drawings.get(parts.get(relation)?.target ?? "");
      if (!lines) leftOut.add("chart or diagram");
      for (const line of lines ?? []) budget.add(line);
    },
  };
  const body = new WordFlow(new FlowText(budget), context, await readAddresses(zip, main));
  const sides: { kind: string; id: string }[] = [];
  await readXml(zip, main, {
    isDone: () => budget.isFull,
    open: (name, attributes) => {
      const side = /^w:(header|footer)Reference$/.exec(name)?.[1];
      if (side) sides.push({ kind: side === "header" ? "Header" : "Footer", id: attributes["r:id"] ?? "" });
      else body.open(name, attributes);
    },
    close: (name) => {
      if (!/^w:(header|footer)Reference$/.test(name)) body.close(name);
    },
    text: (text) => body.text(text),
  });
  body.end();
  const notePart = (type: string) => partOf(`${type}s`) ?? `word/${type}s.xml`;
  for (const kind of ["footnote", "endnote"] as const) {
    const notes = await readNotes(zip, notePart(kind), `w:${kind}`, context);
    for (const { label, note } of marks.inOrder(kind, notes)) budget.add(`\n[^${label}]: ${note.text}`);
  }
  await addComments(zip, notePart("comment"), partOf("commentsExtended"), context, marks, budget);
  await addSides(zip, sides, parts, context, budget);
  const notes = [...leftOut.sentences(), ...revisions.sentences()];
  return { text: budget.toString(), method: "document text", extent: "the whole document", isTruncated: budget.isTruncated, notes };
}

type Parts = Awaited<ReturnType<typeof readRelations>>;

/** Word gives the main part another name when it repaired a file. */
async function mainPart(zip: ZipContainer): Promise<string> {
  const found = [...(await readRelations(zip, "")).values()].find(({ type }) => type === "officeDocument")?.target;
  return found && zip.has(found) ? found : usualPart;
}

async function readDrawings(zip: ZipContainer, parts: Parts): Promise<Map<string, string[]>> {
  const drawings = new Map<string, string[]>();
  for (const { target, type } of parts.values()) {
    if (!zip.has(target)) continue;
    if (type === "chart") drawings.set(target, ["", ...(await readChart(zip, target))]);
    else if (type === "diagramData") drawings.set(target, ["", ...(await readDiagram(zip, target))]);
  }
  return drawings;
}

async function addComments(
  zip: ZipContainer,
  part: string,
  threadsPart: string | undefined,
  context: WordContext,
  marks: NoteMarks,
  budget: TextBudget,
): Promise<void> {
  const comments = await readNotes(zip, part, "w:comment", context);
  if (comments.size === 0) return;
  const threads = await commentThreads(zip, threadsPart);
  const ordered = marks.inOrder("comment", comments);
  const labelOf = new Map(ordered.map(({ label, note }) => [note.paragraph, label]));
  budget.add("\nComments:");
  for (const { label, note } of ordered) {
    const thread = threads.get(note.paragraph);
    const parent = labelOf.get(thread?.parent || "-");
    const about = [
      note.attributes["w:author"],
      note.attributes["w:date"]?.slice(0, 10),
      parent && `answers ${parent}`,
      thread?.isDone && "resolved",
    ];
    const known = about.filter((piece) => piece).join(", ");
    budget.add(`[${label}]${known ? ` ${known}` : ""}: ${note.text}`);
  }
}

/** Adds headers and footers, each text once. One that has only a number of a page says nothing. */
async function addSides(
  zip: ZipContainer,
  sides: readonly { kind: string; id: string }[],
  parts: Parts,
  context: WordContext,
  budget: TextBudget,
): Promise<void> {
  const written = new Set<string>();
  for (const { kind, id } of sides) {
    const part = parts.get(id)?.target;
    if (!part || !zip.has(part)) continue;
    const own = new TextBudget(20_000);
    const writer = new WordFlow(new FlowText(own), context, await readAddresses(zip, part));
    await readXml(zip, part, {
      open: (name, attributes) => writer.open(name, attributes),
      close: (name) => writer.close(name),
      text: (text) => writer.text(text),
    });
    writer.end();
    const line = `${kind}: ${own.toString().replaceAll(/\n+/g, "\n")}`;
    if (written.has(line) || /^\w+: [\d\s./-]*$/.test(line)) continue;
    written.add(line);
    budget.add(`\n${line}`);
  }
}
