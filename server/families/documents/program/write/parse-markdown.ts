import { Marked, type MarkedToken, type Token } from "marked";
import { parse as parseYaml } from "yaml";
import { DocumentError } from "../document-error.ts";
import type { Alignment, Block, DocumentTree, FrontMatter, ListItem, Run } from "./document-tree.ts";
import { imageLine } from "./image-line.ts";

const maxFrontChars = 4_000;
const maxDepth = 40;
const frontForm = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Parses Markdown (GFM) once, into the tree that every writer renders. HTML is dropped, except comments and line breaks. */
export function parseMarkdown(markdown: string): DocumentTree {
  const front = frontForm.exec(markdown.slice(0, maxFrontChars));
  const values = front ? frontMatter(front[1] ?? "") : null;
  const text = values && front ? markdown.slice(front[0].length) : markdown;
  const tokens = new Marked({ gfm: true }).lexer(printable(text)) as MarkedToken[];
  return { front: values ?? {}, blocks: tokens.flatMap((token) => blocksOf(token, false, 0)) };
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

function blocksOf(token: MarkedToken, isQuote: boolean, depth: number): Block[] {
  if (depth > maxDepth) throw new DocumentError("invalid", `markdown: lists and quotes are nested more than ${maxDepth} levels deep.`);
  switch (token.type) {
    case "heading":
      return [{ kind: "heading", level: token.depth, runs: runsOf(token.tokens) }];
    case "paragraph":
    case "text":
      return paragraphs(token.raw, token.tokens ?? [token], isQuote);
    case "list":
      return listBlocks(token, depth);
    case "table":
      return [
        {
          kind: "table",
          align: token.align.map((side): Alignment => side ?? "left"),
          header: token.header.map(({ tokens }) => runsOf(tokens)),
          rows: token.rows.map((row) => row.map(({ tokens }) => runsOf(tokens))),
        },
      ];
    case "code":
      return [{ kind: "code", text: token.text }];
    case "blockquote":
      return (token.tokens as MarkedToken[]).flatMap((inner) => blocksOf(inner, true, depth + 1));
    case "hr":
      return [{ kind: "rule" }];
    case "html":
      return [...token.raw.matchAll(/<!--([\s\S]*?)-->/g)].map(([, text]) => ({ kind: "comment", text: (text ?? "").trim() }));
    default:
      return [];
  }
}

/** A line that holds only an image becomes an image block; the lines around it stay paragraphs. */
function paragraphs(raw: string, tokens: readonly Token[], isQuote: boolean): Block[] {
  const lines = raw.split("\n");
  if (!lines.some((line) => imageLine(line))) return paragraph(runsOf(tokens), isQuote);
  const blocks: Block[] = [];
  let kept: string[] = [];
  const flush = () => {
    const text = kept.join("\n").trim();
    kept = [];
    if (text !== "") blocks.push(...paragraph(runsOf(new Marked({ gfm: true }).Lexer.lexInline(text)), isQuote));
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

const paragraph = (runs: Run[], isQuote: boolean): Block[] =>
  runs.length === 0 ? [] : [{ kind: "paragraph", runs, ...(isQuote ? { isQuote } : {}) }];

/** Flattens a list. Blocks inside an item, such as code or a table, follow the items before them. */
function listBlocks(list: Extract<MarkedToken, { type: "list" }>, depth: number): Block[] {
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
      for (const token of item.tokens as MarkedToken[]) {
        if (token.type === "list") add(token, level + 1);
        else if ((token.type === "text" || token.type === "paragraph") && !token.raw.split("\n").some((line) => imageLine(line))) {
          const box = item.task && isFirst ? [{ text: item.checked ? "\u2611 " : "\u2610 " }] : [];
          if (isFirst) items.push({ runs: [...box, ...runsOf(token.tokens ?? [token])], ordered: from.ordered, number, level });
          else items.at(-1)?.runs.push({ text: "\n" }, ...runsOf(token.tokens ?? [token]));
          isFirst = false;
        } else if (token.type !== "space" && token.type !== "checkbox") {
          flush();
          blocks.push(...blocksOf(token, false, depth + level + 1));
        }
      }
      number += 1;
    }
  };
  add(list, 0);
  flush();
  return blocks;
}

/** Flattens inline tokens to runs. An image inside a line is shown as its alternative text. */
function runsOf(tokens: readonly Token[], format: Omit<Run, "text"> = {}): Run[] {
  return (tokens as MarkedToken[]).flatMap((token): Run[] => {
    switch (token.type) {
      case "strong":
        return runsOf(token.tokens, { ...format, bold: true });
      case "em":
        return runsOf(token.tokens, { ...format, italic: true });
      case "del":
        return runsOf(token.tokens, { ...format, strike: true });
      case "codespan":
        return [{ ...format, text: token.text, code: true }];
      case "br":
        return [{ ...format, text: "\n" }];
      case "link":
        return runsOf(token.tokens, safeLink(token.href) ? { ...format, link: token.href } : format);
      case "image":
        return token.text ? [{ ...format, text: `[${token.text}]` }] : [];
      case "html":
        return /^<br\s*\/?>$/i.test(token.raw) ? [{ ...format, text: "\n" }] : [];
      case "checkbox":
        return [];
      case "text":
      case "escape":
        return "tokens" in token && token.tokens ? runsOf(token.tokens, format) : [{ ...format, text: unescaped(token.text) }];
      default:
        return [];
    }
  });
}

/** Links of other schemes stay text: a document must not start programs or open files. */
const safeLink = (address: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(address) && URL.canParse(address) && address.length < 2_000;

const references: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: "\u00a0" };

/** A single line break inside a paragraph is a space. */
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => references[name] ?? "").replaceAll(/ *\n/g, " ");
