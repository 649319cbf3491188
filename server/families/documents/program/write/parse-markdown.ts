import { Marked, type MarkedToken, type Token } from "marked";
import { parse as parseYaml } from "yaml";
import { DocumentError } from "../document-error.ts";
import type { Alignment, Block, DocumentTree, FrontMatter, ListItem, Run } from "./document-tree.ts";
import { imageLine } from "./image-line.ts";
import { InlineRuns } from "./inline-runs.ts";
import { type AddedToken, addedSyntax, isPageBreak } from "./markdown-syntax.ts";

const maxFrontChars = 4_000;
const maxDepth = 40;
const frontForm = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** The text of formulas is still TeX. `notes` say what was left out. */
export type ParsedMarkdown = DocumentTree & { notes: readonly string[] };

/**
 * Parses Markdown once, into the tree that every writer renders: GFM with footnotes, formulas, page breaks, marks, super- and
 * subscripts. HTML is dropped, except comments, line breaks, page breaks and the elements of inline formats.
 */
export function parseMarkdown(markdown: string): ParsedMarkdown {
  const front = frontForm.exec(markdown.slice(0, maxFrontChars));
  const values = front ? frontMatter(front[1] ?? "") : null;
  const text = values && front ? markdown.slice(front[0].length) : markdown;
  const marked = new Marked({ gfm: true }).use(addedSyntax);
  const tokens = marked.lexer(printable(text)) as BlockToken[];
  const runs = new InlineRuns();
  marked.walkTokens(tokens, (token) => {
    if (token.type === "footnote") runs.define((token as AddedToken & { type: "footnote" }).name, token.tokens ?? []);
  });
  const reader = new BlockReader(runs, (line) => marked.Lexer.lexInline(line, marked.defaults));
  const blocks = withoutEmptyPages(tokens.flatMap((token) => reader.of(token, false, 0)));
  const unused = runs.unused();
  const notes = unused.length > 0 ? [`Footnotes without a mark in the text were left out: ${unused.slice(0, 10).join(", ")}.`] : [];
  return { front: values ?? {}, blocks, footnotes: runs.footnotes, formulas: runs.formulas, notes };
}

/** Breaks at the edges and side by side would make empty pages. */
function withoutEmptyPages(blocks: readonly Block[]): Block[] {
  const isBreak = (at: number) => blocks[at]?.kind === "page-break";
  const last = blocks.findLastIndex(({ kind }) => kind !== "page-break");
  return blocks.slice(0, last + 1).filter((_, at) => !isBreak(at) || (at > 0 && !isBreak(at - 1)));
}

/** Removes characters that XML cannot hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const printable = (text: string): string => text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");

/** Returns null when the text between the lines is not a map of values: then the lines are rules. */
function frontMatter(text: string): FrontMatter | null {
  try {
    const values: unknown = parseYaml(text, { maxAliasCount: 0, schema: "failsafe" });
    if (typeof values !== "object" || values === null || Array.isArray(values)) return null;
    const pairs = Object.entries(values).flatMap(([name, value]) =>
      ["title", "subtitle", "author", "date"].includes(name) && typeof value === "string" ? [[name, printable(value).slice(0, 300)]] : [],
    );
    return Object.fromEntries(pairs) as FrontMatter;
  } catch {
    return null;
  }
}

type BlockToken = MarkedToken | AddedToken;

class BlockReader {
  readonly #runs: InlineRuns;
  readonly #inline: (line: string) => Token[];

  constructor(runs: InlineRuns, inline: (line: string) => Token[]) {
    this.#runs = runs;
    this.#inline = inline;
  }

  of(token: BlockToken, isQuote: boolean, depth: number): Block[] {
    if (depth > maxDepth) throw new DocumentError("invalid", `markdown: lists and quotes are nested more than ${maxDepth} levels deep.`);
    switch (token.type) {
      case "heading":
        return [{ kind: "heading", level: token.depth, runs: this.#runs.of(token.tokens) }];
      case "paragraph":
      case "text":
        return this.#paragraphs(token.raw, token.tokens ?? [token], isQuote);
      case "list":
        return this.#list(token, depth);
      case "table":
        return [
          {
            kind: "table",
            align: token.align.map((side): Alignment => side ?? "left"),
            header: token.header.map(({ tokens }) => this.#runs.of(tokens)),
            rows: token.rows.map((row) => row.map(({ tokens }) => this.#runs.of(tokens))),
          },
        ];
      case "code":
        if (token.lang === "math") return [{ kind: "formula", run: this.#runs.formula(token.text.trim(), true) }];
        return [{ kind: "code", text: token.text }];
      case "formula":
        return [{ kind: "formula", run: this.#runs.formula(token.source, true) }];
      case "blockquote":
        return (token.tokens as BlockToken[]).flatMap((inner) => this.of(inner, true, depth + 1));
      case "hr":
        return [{ kind: "rule" }];
      case "pageBreak":
        return [{ kind: "page-break" }];
      case "html":
        if (isPageBreak(token.raw.replaceAll("\n", " "))) return [{ kind: "page-break" }];
        return [...token.raw.matchAll(/<!--([\s\S]*?)-->/g)].map(([whole, text]) =>
          isPageBreak(whole) ? { kind: "page-break" } : { kind: "comment", text: (text ?? "").trim() },
        );
      default:
        return [];
    }
  }

  /** A line that holds only an image becomes an image block; the lines around it stay paragraphs. */
  #paragraphs(raw: string, tokens: readonly Token[], isQuote: boolean): Block[] {
    const lines = raw.split("\n");
    if (!lines.some((line) => imageLine(line))) return paragraph(this.#runs.of(tokens), isQuote);
    const blocks: Block[] = [];
    let kept: string[] = [];
    const flush = () => {
      const text = kept.join("\n").trim();
      kept = [];
      if (text !== "") blocks.push(...paragraph(this.#runs.of(this.#inline(text)), isQuote));
    };
    for (const line of lines) {
      const image = imageLine(line);
      if (!image) {
        kept.push(line);
        continue;
      }
      flush();
      blocks.push({ kind: "image", ...image });
    }
    flush();
    return blocks;
  }

  /** Flattens a list. Blocks inside an item, such as code or a table, follow the items before them. */
  #list(list: Extract<MarkedToken, { type: "list" }>, depth: number): Block[] {
    const blocks: Block[] = [];
    let items: ListItem[] = [];
    const flush = () => {
      if (items.length > 0) blocks.push({ kind: "list", items });
      items = [];
    };
    const add = (from: Extract<MarkedToken, { type: "list" }>, level: number) => {
      if (level > maxDepth) throw new DocumentError("invalid", `markdown: lists are nested more than ${maxDepth} levels deep.`);
      let number = typeof from.start === "number" ? from.start : 1;
      for (const item of from.items) {
        let isFirst = true;
        for (const token of item.tokens as BlockToken[]) {
          if (token.type === "list") add(token, level + 1);
          else if ((token.type === "text" || token.type === "paragraph") && !token.raw.split("\n").some((line) => imageLine(line))) {
            const box = item.task && isFirst ? [{ text: item.checked ? "\u2611 " : "\u2610 " }] : [];
            const runs = this.#runs.of(token.tokens ?? [token]);
            if (isFirst) items.push({ runs: [...box, ...runs], ordered: from.ordered, number, level });
            // Behind a block the item goes on without a number of its own.
            else if (items.length > 0) items.at(-1)?.runs.push({ text: "\n" }, ...runs);
            else blocks.push(...paragraph(runs, false));
            isFirst = false;
          } else if (token.type !== "space" && token.type !== "checkbox") {
            flush();
            blocks.push(...this.of(token, false, depth + level + 1));
          }
        }
        number += 1;
      }
    };
    add(list, 0);
    flush();
    return blocks;
  }
}

/** A formula of a line of its own stands between the paragraphs around it. */
function paragraph(runs: Run[], isQuote: boolean): Block[] {
  const blocks: Block[] = [];
  let kept: Run[] = [];
  const flush = () => {
    if (kept.some(({ text }) => text.trim() !== "")) blocks.push({ kind: "paragraph", runs: kept, ...(isQuote ? { isQuote } : {}) });
    kept = [];
  };
  for (const run of runs) {
    if (run.formula?.isDisplay) {
      flush();
      blocks.push({ kind: "formula", run });
    } else kept.push(run);
  }
  flush();
  return blocks;
}
