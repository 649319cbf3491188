import { type Block, type ListItem, plainText, type Run, type Table } from "./document-tree.ts";
import { fitted, type Pictures } from "./images.ts";
import { columnShares, textWidth } from "./table-columns.ts";

/** A part of a slide's body, placed below the part before. */
export type Part =
  | { kind: "text" | "quote" | "heading"; runs: Run[] }
  | { kind: "item"; runs: Run[]; item: ListItem }
  | { kind: "code"; text: string }
  | { kind: "table"; table: Table; rows: Run[][][] }
  | { kind: "image"; address: string; alternative: string };

export type Slide = { title: Run[]; parts: Part[]; notes: string[] };
/** Inches and points. */
export type PlacedPart = { part: Part; y: number; height: number; fontSize: number };

const fontSizes = [20, 18, 16, 14];
/** Font size of parts that need several pages. */
const severalPagesSize = 16;
const pointsPerInch = 72;
const gap = 0.14;
/** Height of a line in parts of the font size. */
const lineHeight = 1.25;
/** Mean width of a half-width character in parts of the font size. */
const signWidth = 0.52;

/** Splits blocks into slides at rules; without rules, at headings of the first two levels. */
export function slidesOf(blocks: readonly Block[]): Slide[] {
  const hasRules = blocks.some(({ kind }) => kind === "rule");
  const slides: Slide[] = [];
  let current: Slide | null = null;
  for (const block of blocks) {
    if (block.kind === "rule") {
      current = null;
      continue;
    }
    if (block.kind === "heading" && !hasRules && block.level <= 2 && current !== null && current.parts.length + current.title.length > 0)
      current = null;
    if (!current) {
      current = { title: [], parts: [], notes: [] };
      slides.push(current);
    }
    if (block.kind === "comment") current.notes.push(block.text);
    else if (block.kind === "heading" && current.title.length === 0 && current.parts.length === 0) current.title = block.runs;
    else current.parts.push(...partsOf(block));
  }
  return slides;
}

function partsOf(block: Exclude<Block, { kind: "rule" | "comment" }>): Part[] {
  switch (block.kind) {
    case "heading":
      return [{ kind: "heading", runs: block.runs }];
    case "paragraph":
      return [{ kind: block.isQuote ? "quote" : "text", runs: block.runs }];
    case "list":
      return block.items.map((item) => ({ kind: "item", runs: item.runs, item }));
    case "table":
      return [{ kind: "table", table: block, rows: block.rows }];
    default:
      return [block];
  }
}

type Size = { width: number; height: number };

/** Places parts in the largest font size that fits one page, else on several pages. */
export function placeParts(parts: readonly Part[], box: Size, pictures: Pictures): PlacedPart[][] {
  for (const fontSize of fontSizes) {
    const placed = place(parts, box, fontSize, pictures);
    if (placed.length === 1) return placed;
  }
  return place(parts, box, severalPagesSize, pictures);
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
  for (const part of parts) {
    if (part.kind === "table") {
      placeTable(part, fontSize);
      continue;
    }
    for (const piece of part.kind === "code" ? codePieces(part.text, box.height, fontSize) : [part]) {
      const height = heightOf(piece, box, fontSize, pictures);
      if (y > 0 && y + height > box.height) breakPage();
      put(piece, Math.min(height, box.height), fontSize);
    }
  }
  return pages;

  /** Splits a table at rows; each page repeats the header. */
  function placeTable(part: Extract<Part, { kind: "table" }>, size: number): void {
    const tableSize = Math.max(11, size - 4);
    const shares = columnShares(part.table);
    const rowHeight = (row: readonly Run[][]) =>
      (Math.max(1, ...shares.map((share, column) => linesOf(plainText(row[column] ?? []), share * box.width - 0.2, tableSize))) *
        (tableSize * lineHeight)) /
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

function heightOf(part: Exclude<Part, { kind: "table" }>, box: Size, fontSize: number, pictures: Pictures): number {
  if (part.kind === "image") {
    const picture = pictures.get(part.address);
    return picture ? fitted(picture, { width: box.width * 96, height: Math.min(4.2, box.height) * 96 }).height / 96 : 0;
  }
  if (part.kind === "code") return (part.text.split("\n").length * fontSize * 0.75 * lineHeight) / pointsPerInch + 0.2;
  const indent = part.kind === "item" ? 0.3 * (part.item.level + 1) : 0;
  return (linesOf(plainText(part.runs), box.width - indent, fontSize) * fontSize * lineHeight) / pointsPerInch + 0.02;
}

/** Splits code that is higher than a page. */
function codePieces(text: string, height: number, fontSize: number): { kind: "code"; text: string }[] {
  const lines = text.split("\n");
  const perPage = Math.max(1, Math.floor(((height - 0.3) * pointsPerInch) / (fontSize * 0.75 * lineHeight)));
  return Array.from({ length: Math.ceil(lines.length / perPage) }, (_, page) => ({
    kind: "code",
    text: lines.slice(page * perPage, (page + 1) * perPage).join("\n"),
  }));
}

/** Estimates the lines of a text in a box of this width. */
function linesOf(text: string, width: number, fontSize: number): number {
  const perLine = Math.max(1, (width * pointsPerInch) / (fontSize * signWidth));
  return text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / perLine)), 0);
}
