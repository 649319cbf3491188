import type { MarkedToken, Token } from "marked";
import type { Run } from "./document-tree.ts";
import type { AddedToken } from "./markdown-syntax.ts";

type Format = Omit<Run, "text" | "formula" | "note">;

/** Elements of HTML that models write inside of Markdown, with the format that each gives. */
const elements: Readonly<Record<string, Format>> = {
  sup: { script: "super" },
  sub: { script: "sub" },
  mark: { mark: true },
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  s: { strike: true },
  del: { strike: true },
  code: { code: true },
  kbd: { code: true },
};

/** Turns inline tokens into runs, and keeps the footnotes and formulas that it meets. */
export class InlineRuns {
  /** Footnotes in the order of their marks. */
  readonly footnotes: Run[][] = [];
  readonly formulas: Run[] = [];
  readonly #definitions = new Map<string, readonly Token[]>();
  readonly #numbers = new Map<string, number>();

  define(name: string, tokens: readonly Token[]): void {
    if (!this.#definitions.has(name)) this.#definitions.set(name, tokens);
  }

  /** Names of footnotes that the text never refers to. */
  unused(): string[] {
    return [...this.#definitions.keys()].filter((name) => !this.#numbers.has(name));
  }

  formula(source: string, isDisplay: boolean, format: Format = {}): Run {
    const run: Run = { ...format, text: source, formula: { source, isDisplay } };
    this.formulas.push(run);
    return run;
  }

  /** Flattens tokens to runs. An image inside a line is shown as its alternative text. */
  of(tokens: readonly Token[], format: Format = {}): Run[] {
    const open: { name: string; format: Format }[] = [];
    return (tokens as (MarkedToken | AddedToken)[]).flatMap((token): Run[] => {
      if (token.type === "html") {
        const [, slash, name = ""] = /^<(\/?)([a-z]+)(?:\s[^>]*)?\/?>$/i.exec(token.raw.trim()) ?? [];
        const element = name.toLowerCase();
        if (element === "br") return [{ ...format, text: "\n" }];
        const given = elements[element];
        if (given && !slash) open.push({ name: element, format: given });
        else if (given) {
          const at = open.findLastIndex((one) => one.name === element);
          if (at >= 0) open.splice(at);
        }
        return [];
      }
      return this.#runs(token, Object.assign({}, format, ...open.map((one) => one.format)));
    });
  }

  #runs(token: MarkedToken | AddedToken, format: Format): Run[] {
    switch (token.type) {
      case "strong":
        return this.of(token.tokens, { ...format, bold: true });
      case "em":
        return this.of(token.tokens, { ...format, italic: true });
      case "del":
        return this.of(token.tokens, { ...format, strike: true });
      case "mark":
        return this.of(token.tokens, { ...format, mark: true });
      case "superscript":
        return this.of(token.tokens, { ...format, script: "super" });
      case "subscript":
        return this.of(token.tokens, { ...format, script: "sub" });
      case "codespan":
        return [{ ...format, text: token.text, code: true }];
      case "br":
        return [{ ...format, text: "\n" }];
      case "link":
        return this.of(token.tokens, safeLink(token.href) ? { ...format, link: token.href } : format);
      case "image":
        return token.text ? [{ ...format, text: `[${token.text}]` }] : [];
      case "formula":
        return [this.formula(token.source, token.isDisplay, format)];
      case "footnoteMark":
        return [this.#mark(token.name) ?? { ...format, text: token.raw }];
      case "inlineFootnote":
        return [this.#add(this.of(token.tokens))];
      case "text":
      case "escape":
        return "tokens" in token && token.tokens ? this.of(token.tokens, format) : [{ ...format, text: unescaped(token.text) }];
      default:
        return [];
    }
  }

  #mark(name: string): Run | null {
    const known = this.#numbers.get(name);
    if (known) return { text: String(known), note: known };
    const tokens = this.#definitions.get(name);
    if (!tokens) return null;
    // The number stands before the text is read, because a footnote may refer to itself.
    const mark = this.#add([]);
    this.#numbers.set(name, mark.note);
    this.footnotes[mark.note - 1] = this.#note(tokens);
    return mark;
  }

  #add(runs: Run[]): Run & { note: number } {
    this.footnotes.push(runs);
    return { text: String(this.footnotes.length), note: this.footnotes.length };
  }

  #note(tokens: readonly Token[]): Run[] {
    return tokens
      .flatMap((token) => {
        const runs = "tokens" in token && token.tokens ? this.of(token.tokens) : token.type === "space" ? [] : [{ text: token.raw.trim() }];
        return runs.length === 0 ? [] : [{ text: "\n" }, ...runs];
      })
      .slice(1);
  }
}

/** Links of other schemes stay text: a document must not start programs or open files. */
const safeLink = (address: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(address) && URL.canParse(address) && address.length < 2_000;

const references: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: "\u00a0" };

/** A single line break inside a paragraph is a space. */
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => references[name] ?? "").replaceAll(/ *\n/g, " ");
