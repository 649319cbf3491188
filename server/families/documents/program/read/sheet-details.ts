import { columnOf, rowOf } from "./cell-references.ts";
import { decodeEscapes, withoutPrefix } from "./workbook-parts.ts";
import { parseXml, readRelations, readXml } from "./xml-events.ts";
import type { ZipContainer } from "./zip-container.ts";

const maxTailBytes = 32 * 1_048_576;
const maxDetails = 100_000;
const maxNoteChars = 2_000;

/** The parts of a sheet that stand apart from its cells. */
export type SheetDetails = {
  /** Text beside a cell, by row from 1 and column from 0: notes, comments and the target of a link. */
  beside: Map<number, Map<number, string>>;
  merged: string[];
  textBoxes: string[];
  pictures: number;
  charts: number;
};

export async function sheetDetails(zip: ZipContainer, part: string, people: string | null): Promise<SheetDetails> {
  const details: SheetDetails = { beside: new Map(), merged: [], textBoxes: [], pictures: 0, charts: 0 };
  const relations = await readRelations(zip, part);
  const related = (type: string) => [...relations.values()].filter((found) => found.type === type && zip.has(found.target));
  let added = 0;
  const addBeside = (reference: string, text: string) => {
    const [row, column] = [rowOf(reference), columnOf(reference)];
    added += 1;
    if (row < 1 || column < 0 || added > maxDetails) return;
    const ofRow = details.beside.get(row) ?? new Map<number, string>();
    details.beside.set(row, ofRow.set(column, (ofRow.get(column) ?? "") + text));
  };
  await readTail(zip, part, details, addBeside);
  const answered = new Set<string>();
  for (const { target } of related("threadedComment")) await readThreads(zip, target, people, { addBeside, answered });
  for (const { target } of related("comments")) await readNotes(zip, target, { addBeside, answered });
  for (const { target } of related("drawing")) await readDrawing(zip, target, details);
  return details;
}

type AddBeside = (reference: string, text: string) => void;

/** Reads merged cells and links, which follow the cells. */
async function readTail(zip: ZipContainer, part: string, details: SheetDetails, addBeside: AddBeside): Promise<void> {
  const targets = await externalTargets(zip, part);
  await parseXml(afterCells(zip, part), part, {
    open: (tag, attributes) => {
      const name = withoutPrefix(tag);
      if (name === "mergeCell" && attributes.ref && details.merged.length < maxDetails) details.merged.push(attributes.ref);
      if (name !== "hyperlink" || !attributes.ref) return;
      const inside = attributes.location ? `#${attributes.location}` : "";
      const target = `${targets.get(attributes["r:id"] ?? "") ?? ""}${inside}`;
      if (target !== "") addBeside(attributes.ref, ` <${decodeEscapes(target).slice(0, maxNoteChars)}>`);
    },
  });
}

/** Yields the XML behind the cells of a sheet, with an opening tag for its last closing one. Cells are not parsed. */
async function* afterCells(zip: ZipContainer, part: string): AsyncIterable<Uint8Array> {
  let before = Buffer.alloc(0);
  let isBehind = false;
  let bytes = 0;
  for await (const chunk of zip.chunks(part)) {
    let rest = Buffer.concat([before, chunk]);
    if (!isBehind) {
      const end = endOfCells(rest);
      if (end === null) {
        before = Buffer.from(rest.subarray(Math.max(0, rest.byteLength - 64)));
        continue;
      }
      isBehind = true;
      before = Buffer.alloc(0);
      yield Buffer.from(`<${end.prefix}worksheet>`);
      rest = rest.subarray(end.at);
    }
    bytes += rest.byteLength;
    if (bytes > maxTailBytes) return;
    yield rest;
  }
  if (!isBehind) yield Buffer.from("<worksheet/>");
}

function endOfCells(bytes: Buffer): { at: number; prefix: string } | null {
  for (let found = bytes.indexOf("sheetData"); found !== -1; found = bytes.indexOf("sheetData", found + 1)) {
    const around = bytes.subarray(bytes.lastIndexOf("<", found), found + 16).toString("latin1");
    const [, closing, prefix = "", empty] = /^<(\/?)([\w.-]{1,20}:)?sheetData\s*(\/?)>/.exec(around) ?? [];
    if (closing || empty) return { at: bytes.indexOf(">", found) + 1, prefix };
  }
  return null;
}

async function externalTargets(zip: ZipContainer, part: string): Promise<Map<string, string>> {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const file = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const targets = new Map<string, string>();
  if (!zip.has(file)) return targets;
  await readXml(zip, file, {
    open: (_name, { Id, Target, TargetMode }) => {
      if (Id && Target && TargetMode === "External") targets.set(Id, Target);
    },
  });
  return targets;
}

type Comments = { addBeside: AddBeside; answered: Set<string> };

const oneLine = (text: string): string => decodeEscapes(text).replaceAll(/\s+/g, " ").trim().slice(0, maxNoteChars).toWellFormed();

async function readNotes(zip: ZipContainer, part: string, { addBeside, answered }: Comments): Promise<void> {
  const authors: string[] = [];
  let reference = "";
  let author = "";
  let text = "";
  let isText = false;
  await readXml(zip, part, {
    open: (tag, attributes) => {
      const name = withoutPrefix(tag);
      if (name === "author") authors.push("");
      isText = name === "t" || name === "author";
      if (name !== "comment") return;
      reference = attributes.ref ?? "";
      author = authors[Number(attributes.authorId)] ?? "";
      text = "";
    },
    text: (piece) => {
      if (isText && reference === "") authors.push((authors.pop() ?? "") + piece);
      else if (isText) text += piece;
    },
    close: (tag) => {
      isText = false;
      if (withoutPrefix(tag) !== "comment" || answered.has(reference)) return;
      // Excel writes the author into the note, too.
      const said = oneLine(text.startsWith(`${author}:`) ? text.slice(author.length + 1) : text);
      if (said !== "") addBeside(reference, ` [note${author.trim() ? ` by ${oneLine(author)}` : ""}: ${said}]`);
    },
  });
}

async function readThreads(zip: ZipContainer, part: string, people: string | null, { addBeside, answered }: Comments): Promise<void> {
  const names = new Map<string, string>();
  if (people !== null && zip.has(people)) {
    await readXml(zip, people, {
      open: (tag, { id, displayName }) => {
        if (withoutPrefix(tag) === "person" && id && displayName) names.set(id, displayName);
      },
    });
  }
  let reference = "";
  let author = "";
  let text = "";
  let isText = false;
  await readXml(zip, part, {
    open: (tag, attributes) => {
      const name = withoutPrefix(tag);
      isText = name === "text";
      if (name !== "threadedComment") return;
      reference = attributes.ref ?? "";
      author = names.get(attributes.personId ?? "") ?? "";
      text = "";
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (tag) => {
      isText = false;
      if (withoutPrefix(tag) !== "threadedComment") return;
      // The note of the same cell is a copy for programs that know no threads.
      answered.add(reference);
      addBeside(reference, ` [comment${author ? ` by ${oneLine(author)}` : ""}: ${oneLine(text)}]`);
    },
  });
}

async function readDrawing(zip: ZipContainer, part: string, details: SheetDetails): Promise<void> {
  let text: string | null = null;
  let isText = false;
  await readXml(zip, part, {
    open: (tag) => {
      const name = withoutPrefix(tag);
      if (name === "pic") details.pictures += 1;
      else if (name === "chart") details.charts += 1;
      else if (name === "txBody") text = "";
      else if (name === "p" && text) text += " ";
      isText = name === "t";
    },
    text: (piece) => {
      if (isText && text !== null) text += piece;
    },
    close: (tag) => {
      isText = false;
      if (withoutPrefix(tag) !== "txBody" || text === null) return;
      if (text.trim() !== "" && details.textBoxes.length < 1_000) details.textBoxes.push(oneLine(text));
      text = null;
    },
  });
}
