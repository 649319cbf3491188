/** A part of a text that is searched and cited as one. */
export type Chunk = {
  text: string;
  /** Headings above the chunk, the highest first. */
  headings: string[];
  /** Page of the document, from 1; null when the text has no page breaks. */
  page: number | null;
  /** Place in the text in UTF-16 units, and its first line, from 1. */
  start: number;
  end: number;
  line: number;
};

type Block = { kind: "text" | "whole" | "table"; start: number; end: number; headings: string[]; page: number; line: number };

/** Characters of a chunk of prose; small enough that a hit is a passage, large enough that it holds a thought. */
const usualCharacters = 1_200;
/** Tables and code stay whole up to this size. */
const wholeCharacters = 12_000;
const pageBreak = "\f";

const headingPattern = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const fencePattern = /^ {0,3}(`{3,}|~{3,})/;
const tableRowPattern = /^\s*\|.*\|\s*$/;

/**
 * Splits Markdown or plain text into chunks with their place, headings and page. Pages are divided by form feeds. A table or
 * a code block is never split below 12,000 characters; a larger table repeats its head in each part.
 */
export function chunkText(text: string, maxCharacters = usualCharacters): Chunk[] {
  const hasPages = text.includes(pageBreak);
  const joined: Block[] = [];
  for (const block of blocksOf(text)) {
    const open = joined.at(-1);
    if (open && mayJoin(open, block, maxCharacters)) {
      if (open.kind !== block.kind) open.kind = "whole";
      open.end = block.end;
    } else joined.push(block);
  }
  return joined.flatMap((block) => toChunks(text, block, maxCharacters, hasPages));
}

function mayJoin(open: Block, block: Block, maxCharacters: number): boolean {
  return open.page === block.page && open.headings.join("\n") === block.headings.join("\n") && block.end - open.start <= maxCharacters;
}

type Line = { text: string; start: number; end: number; number: number; page: number };

/** Lines of a text. A page may break in the middle of a line, whose parts are then read as two. */
function* linesOf(text: string): Generator<Line> {
  let [number, page, start] = [1, 1, 0];
  for (const { index } of text.matchAll(/[\n\f]/g)) {
    yield { text: text.slice(start, index).replace(/\r$/, ""), start, end: index, number, page };
    if (text[index] === pageBreak) page++;
    else number++;
    start = index + 1;
  }
  yield { text: text.slice(start), start, end: text.length, number, page };
}

/** Reads paragraphs, tables and code blocks, each below its headings. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let headings: { level: number; title: string }[] = [];
  let isOpen = false;
  let fence: string | null = null;
  for (const line of linesOf(text)) {
    const mark = fencePattern.exec(line.text)?.[1];
    const last = blocks.at(-1);
    if (fence !== null) {
      if (last) last.end = line.end;
      if (mark?.startsWith(fence) && line.text.trim() === mark) [fence, isOpen] = [null, false];
      continue;
    }
    const heading = headingPattern.exec(line.text);
    const isBlank = line.text.trim() === "";
    const kind = mark ? "whole" : tableRowPattern.test(line.text) ? "table" : "text";
    if (mark || heading || isBlank || last?.kind !== kind || last.page !== line.page) isOpen = false;
    if (heading) {
      const level = heading[1]?.length ?? 1;
      headings = [...headings.filter((above) => above.level < level), { level, title: heading[2] ?? "" }];
    } else if (isOpen && last) last.end = line.end;
    else if (!isBlank) {
      const { start, end, page, number } = line;
      blocks.push({ kind, start, end, headings: headings.map(({ title }) => title), page, line: number });
      isOpen = true;
      fence = mark ?? null;
    }
  }
  return blocks;
}

function toChunks(text: string, block: Block, maxCharacters: number, hasPages: boolean): Chunk[] {
  const { headings, line, start, end } = block;
  const page = hasPages ? block.page : null;
  const most = block.kind === "text" ? maxCharacters : wholeCharacters;
  const head = block.kind === "table" ? tableHead(text.slice(start, end)) : "";
  const chunks: Chunk[] = [];
  for (let from = start; from < end; ) {
    const to = end - from <= most ? end : cutBefore(text, from, from + most, block.kind);
    const body = text.slice(from, to).replace(/\r/g, "").trimEnd();
    const before = text.slice(start, from).split("\n").length - 1;
    const withHead = from === start || head === "" ? body : `${head}\n${body}`;
    if (body.trim() !== "") chunks.push({ text: withHead, headings, page, start: from, end: to, line: line + before });
    from = to;
  }
  return chunks;
}

/** The first two lines of a Markdown table, when the second is its rule. */
function tableHead(table: string): string {
  const [first = "", second = ""] = table.split("\n");
  return /^\s*\|[\s:|-]+\|\s*$/.test(second) ? `${first}\n${second}` : "";
}

/** Returns where a part ends: after a line of a table or of code, after a sentence or a word of prose. */
function cutBefore(text: string, from: number, to: number, kind: Block["kind"]): number {
  const part = text.slice(from, to);
  const line = part.lastIndexOf("\n") + 1;
  if (kind !== "text") return line > 0 ? from + line : splitPair(text, to);
  const half = part.length / 2;
  const sentence = Math.max(
    ...[". ", "! ", "? ", ".\n", "。", "！", "？"].map((stop) => part.lastIndexOf(stop) + (part.includes(stop) ? stop.length : 0)),
  );
  if (sentence > half) return from + sentence;
  const word = Math.max(part.lastIndexOf(" ") + 1, line);
  return word > half ? from + word : splitPair(text, to);
}

/** Never between the two halves of one character. */
const splitPair = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? "") ? at - 1 : at);
