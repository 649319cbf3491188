import { type Block, captionOf, type ListItem, plainText, type Run, type Table } from "./document-tree.ts";
import { fitted, type Pictures } from "./images.ts";
import { splitColumns, tableColumns, textWidth } from "./table-columns.ts";

/** A part of a slide's body, placed below the part before. */
export type Part =
  | { kind: "text" | "quote" | "heading"; runs: Run[] }
  | { kind: "item"; runs: Run[]; item: ListItem }
  | { kind: "code"; text: string }
  | { kind: "table"; table: Table; rows: Run[][][] }
  | { kind: "footnote"; runs: Run[] }
  | { kind: "image"; address: string; alternative: string; caption: string };

export type Slide = { title: Run[]; parts: Part[]; notes: string[] };
/** Inches and points. */
export type PlacedPart = { part: Part; y: number; height: number; fontSize: number };

const fontSizes = [20, 18, 16, 14];
/** Font size of parts that need several pages. */
const severalPagesSize = 16;
const pointsPerInch = 72;
const footnoteSize = 11;
/** Height of a line below a picture, in inches. */
export const captionHeight = 0.32;
const gap = 0.14;
/** Height of a line in parts of the font size. */
const lineHeight = 1.25;
/** Mean width of a half-width character in parts of the font size. */
const signWidth = 0.52;
/** Font size of code in parts of that of text, and the width of its signs. */
export const codeSize = 0.75;
const codeSignWidth = 0.61;
/** Space around code, above and below together, in inches. */
const codePadding = 0.2;
/** Lines of code that stay together below a heading. */
const leastCodeLines = 3;

/** Measures of a table on a slide, in inches. */
export const slideTable = { smallest: 7 / pointsPerInch, padding: 0.2, factor: 1.15 };
const usualTableSize = 11;

/** Splits blocks into slides at rules, page breaks and headings of the level that the deck uses for titles. */
export function slidesOf(blocks: readonly Block[], footnotes: readonly Run[][]): Slide[] {
  const titleLevel = titleLevelOf(blocks);
  const slides: Slide[] = [];
  let current: Slide | null = null;
  for (const block of blocks) {
    if (block.kind === "rule" || block.kind === "page-break") {
      current = null;
      continue;
    }
    if (block.kind === "heading" && block.level <= titleLevel && current !== null && current.parts.length + current.title.length > 0)
      current = null;
    if (!current) {
      current = { title: [], parts: [], notes: [] };
      slides.push(current);
    }
    if (block.kind === "comment") current.notes.push(block.text);
    else if (block.kind === "heading" && current.title.length === 0 && current.parts.length === 0) current.title = block.runs;
    else current.parts.push(...partsOf(block));
  }
  for (const slide of slides) slide.parts.push(...footnotesOf(slide, footnotes));
  return slides;
}

/** With rules, titles have the level of most headings behind a rule; else the first two levels, or the highest below a single title. */
function titleLevelOf(blocks: readonly Block[]): number {
  const text = blocks.filter(({ kind }) => kind !== "comment");
  const levels = text.flatMap((block) => (block.kind === "heading" ? [block.level] : []));
  const behindRules = text.flatMap((block, at) => (block.kind === "heading" && text[at - 1]?.kind === "rule" ? [block.level] : []));
  const counted = Map.groupBy(behindRules, (level) => level);
  const [most] = [...counted].sort(([one, same], [other, others]) => others.length - same.length || other - one);
  if (most) return most[0];
  const deeper = levels.filter((level) => level > 2);
  return levels.filter((level) => level <= 2).length > 1 || deeper.length === 0 ? 2 : Math.min(...deeper);
}

/** Footnotes stand at the foot of the slide that refers to them. */
function footnotesOf({ title, parts }: Slide, footnotes: readonly Run[][]): Part[] {
  const runs = [title, ...parts.flatMap(runsOf)].flat();
  const numbers = new Set(runs.flatMap(({ note }) => note ?? []));
  return [...numbers].map((number) => ({
    kind: "footnote",
    runs: [{ text: `${number} `, script: "super" }, ...(footnotes[number - 1] ?? [])],
  }));
}

function runsOf(part: Part): Run[][] {
  if (part.kind === "table") return [...part.table.header, ...part.rows.flat()];
  return part.kind === "code" || part.kind === "image" ? [] : [part.runs];
}

function partsOf(block: Exclude<Block, { kind: "rule" | "page-break" | "comment" }>): Part[] {
  switch (block.kind) {
    case "heading":
      return [{ kind: "heading", runs: block.runs }];
    case "paragraph":
      return [{ kind: block.isQuote ? "quote" : "text", runs: block.runs }];
    case "list":
      return block.items.map((item) => ({ kind: "item", runs: item.runs, item }));
    case "table":
      return [{ kind: "table", table: block, rows: block.rows }];
    case "formula":
      return [{ kind: "text", runs: [block.run] }];
    case "image":
      return [{ ...block, caption: captionOf(block) }];
    default:
      return [block];
  }
}

type Size = { width: number; height: number };

/** Places parts in the largest font size that fits one page, else on several pages. */
export function placeParts(given: readonly Part[], box: Size, pictures: Pictures): PlacedPart[][] {
  const parts = given.flatMap((part) => (part.kind === "table" ? readableTables(part, box.width) : [part]));
  for (const fontSize of fontSizes) {
    const placed = place(parts, box, fontSize, pictures);
    if (placed.length === 1) return placed;
  }
  return place(parts, box, severalPagesSize, pictures);
}

/** Numbers of a table with many columns would be broken in letters that can be read on a slide. */
function readableTables({ table }: Extract<Part, { kind: "table" }>, width: number): Part[] {
  const space = { ...slideTable, width, fontSize: usualTableSize / pointsPerInch, smallest: 0 };
  const fits = (part: Table) => tableColumns(part, space).fontSize >= slideTable.smallest;
  return splitColumns(table, fits).map((part) => ({ kind: "table", table: part, rows: part.rows }));
}

function place(parts: readonly Part[], box: Size, fontSize: number, pictures: Pictures): PlacedPart[][] {
  const pages: PlacedPart[][] = [[]];
  let y = 0;
  const breakPage = () => {
    pages.push([]);
    y = 0;
  };
  const put = (part: Part, height: number, size: number) => {
    pages.at(-1)?.push({ part, y, height, fontSize: size });
    y += height + gap;
  };
  for (const [index, part] of parts.entries()) {
    if (part.kind === "table") placeTable(part, fontSize);
    else if (part.kind === "code") placeCode(part, fontSize);
    else {
      const size = part.kind === "footnote" ? footnoteSize : fontSize;
      const height = heightOf(part, box, size, pictures);
      // A heading goes with the part below it to the next page.
      const kept = part.kind === "heading" ? gap + leastHeight(index + 1) : 0;
      if (y > 0 && y + height + kept > box.height) breakPage();
      put(part, Math.min(height, box.height), size);
    }
  }
  return pages;

  /** Height of the smallest piece of a part that can stand on a page. */
  function leastHeight(index: number): number {
    const part = parts[index];
    if (!part) return 0;
    if (part.kind === "table") return (2 * fontSize * lineHeight) / pointsPerInch;
    if (part.kind === "code") return codeHeight(part.text.split("\n").slice(0, leastCodeLines));
    const below = part.kind === "heading" ? gap + leastHeight(index + 1) : 0;
    return Math.min(heightOf(part, box, fontSize, pictures) + below, box.height / 2);
  }

  function codeHeight(lines: readonly string[]): number {
    return codePadding + lines.reduce((sum, line) => sum + codeLineHeight(line, box.width, fontSize), 0);
  }

  /** Splits code that is higher than the rest of a page at its lines. */
  function placeCode({ text }: Extract<Part, { kind: "code" }>, size: number): void {
    const all = text.split("\n");
    if (y > 0 && y + codeHeight(all.slice(0, leastCodeLines)) > box.height) breakPage();
    let lines: string[] = [];
    let height = codePadding;
    for (const line of all) {
      const next = codeLineHeight(line, box.width, size);
      if (lines.length > 0 && y + height + next > box.height) {
        put({ kind: "code", text: lines.join("\n") }, height, size);
        breakPage();
        lines = [];
        height = codePadding;
      }
      lines.push(line);
      height += next;
    }
    put({ kind: "code", text: lines.join("\n") }, Math.min(height, box.height), size);
  }

  /** Splits a table at rows; each page repeats the header. */
  function placeTable(part: Extract<Part, { kind: "table" }>, size: number): void {
    const tableSize = Math.max(usualTableSize, size - 4);
    const { widths, fontSize } = tableColumns(part.table, { width: box.width, fontSize: tableSize / pointsPerInch, ...slideTable });
    const letters = fontSize * pointsPerInch;
    const rowHeight = (row: readonly Run[][]) =>
      (Math.max(1, ...widths.map((width, column) => linesOf(plainText(row[column] ?? []), width - slideTable.padding, letters))) *
        (letters * lineHeight)) /
        pointsPerInch +
      0.1;
    const header = rowHeight(part.table.header);
    let rows: Run[][][] = [];
    let height = header;
    if (y > 0 && y + header + rowHeight(part.rows[0] ?? []) > box.height) breakPage();
    for (const row of part.rows) {
      const next = rowHeight(row);
      if (rows.length > 0 && y + height + next > box.height) {
        put({ ...part, rows }, height, tableSize);
        breakPage();
        rows = [];
        height = header;
      }
      rows.push(row);
      height += next;
    }
    put({ ...part, rows }, height, tableSize);
  }
}

function heightOf(part: Exclude<Part, { kind: "table" | "code" }>, box: Size, fontSize: number, pictures: Pictures): number {
  if (part.kind === "image") {
    const picture = pictures.get(part.address);
    const caption = part.caption === "" ? 0 : captionHeight;
    return picture ? fitted(picture, { width: box.width * 96, height: Math.min(4.2, box.height - caption) * 96 }).height / 96 + caption : 0;
  }
  const indent = part.kind === "item" ? 0.3 * (part.item.level + 1) : 0;
  return (linesOf(plainText(part.runs), box.width - indent, fontSize) * fontSize * lineHeight) / pointsPerInch + 0.02;
}

/** Height of a line of code, which may be broken. */
const codeLineHeight = (line: string, width: number, fontSize: number): number =>
  (linesOf(line, width - codePadding, fontSize * codeSize, codeSignWidth) * fontSize * codeSize * lineHeight) / pointsPerInch;

/** Estimates the lines of a text in a box of this width. */
function linesOf(text: string, width: number, fontSize: number, sign = signWidth): number {
  const perLine = Math.max(1, Math.floor((width * pointsPerInch) / (fontSize * sign)));
  return text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / perLine)), 0);
}
