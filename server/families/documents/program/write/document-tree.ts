/** A piece of text with one format. */
export type Run = { text: string; bold?: boolean; italic?: boolean; code?: boolean; strike?: boolean; link?: string };
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
  | { kind: "comment"; text: string }
  | { kind: "rule" };

export type FrontMatter = { title?: string; subtitle?: string; author?: string; date?: string };
export type DocumentTree = { front: FrontMatter; blocks: Block[] };

export const plainText = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");

/** Returns the title of a document: from its front matter, else its first heading when that opens the document. */
export function titleOf({ front, blocks }: DocumentTree): { title: string; isHeading: boolean } | null {
  if (front.title) return { title: front.title, isHeading: false };
  const [first] = blocks;
  return first?.kind === "heading" && first.level === 1 ? { title: plainText(first.runs), isHeading: true } : null;
}
