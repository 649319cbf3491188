import type { MathNode } from "./math/math-node.ts";

/** A formula in the notation of TeX. `root` is missing when TeX cannot read it. */
export type Formula = { source: string; isDisplay: boolean; root?: MathNode };

/** A piece of text with one format. */
export type Run = {
  text: string;
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  strike?: boolean;
  mark?: boolean;
  script?: "super" | "sub";
  link?: string;
  /** The text of the run is the formula in one line. */
  formula?: Formula;
  /** Number of a footnote, counted from 1; the text of the run is the number. */
  note?: number;
};
export type Alignment = "left" | "center" | "right";
export type Table = { kind: "table"; align: Alignment[]; header: Run[][]; rows: Run[][][] };
export type ListItem = { runs: Run[]; ordered: boolean; number: number; level: number };

/** The blocks that all writers know. Lists are flat: each item has its level. */
export type Block =
  | { kind: "heading"; level: number; runs: Run[] }
  | { kind: "paragraph"; runs: Run[]; isQuote?: boolean }
  | { kind: "list"; items: ListItem[] }
  | Table
  | { kind: "code"; text: string }
  | { kind: "image"; address: string; alternative: string }
  /** A formula on a line of its own; its one run holds the formula. */
  | { kind: "formula"; run: Run }
  | { kind: "comment"; text: string }
  | { kind: "page-break" }
  | { kind: "rule" };

export type FrontMatter = { title?: string; subtitle?: string; author?: string; date?: string };
/** `footnotes` are in the order of their marks; `formulas` are all runs that hold one. */
export type DocumentTree = { front: FrontMatter; blocks: Block[]; footnotes: Run[][]; formulas: readonly Run[] };

export const plainText = (runs: readonly Run[]): string => runs.map(({ text, note }) => (note ? `[${text}]` : text)).join("");

/** Returns the title of a document: from its front matter, else its first heading when that opens the document. */
export function titleOf({ front, blocks }: DocumentTree): { title: string; isHeading: boolean } | null {
  if (front.title) return { title: front.title, isHeading: false };
  const [first] = blocks;
  return first?.kind === "heading" && first.level === 1 ? { title: headingText(first.runs), isHeading: true } : null;
}

/** Text of a heading without the marks of its footnotes. */
export const headingText = (runs: readonly Run[]): string => plainText(runs.filter(({ note }) => note === undefined));

/** Begins the address of a picture that shows a formula. */
export const formulaAddress = "formula:";

/** The caption below a picture: its alternative text, unless that only repeats the name of the file. */
export function captionOf({ address, alternative }: { address: string; alternative: string }): string {
  // A formula that was drawn as a picture explains itself.
  if (address.startsWith(formulaAddress)) return "";
  const caption = alternative.trim();
  const file = address.split("/").at(-1) ?? "";
  const isName = caption === file || caption === file.replace(/\.\w+$/, "") || /^(?:image|picture|img|alt(?: text)?)$/i.test(caption);
  return isName ? "" : caption;
}
