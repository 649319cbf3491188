import type { MarkedExtension, Token, TokenizerExtension } from "marked";

/** Tokens of the forms that are no part of GFM. */
export type AddedToken =
  | { type: "formula"; raw: string; source: string; isDisplay: boolean }
  | { type: "mark" | "superscript" | "subscript"; raw: string; tokens: Token[] }
  | { type: "footnoteMark"; raw: string; name: string }
  | { type: "inlineFootnote"; raw: string; tokens: Token[] }
  | { type: "footnote"; raw: string; name: string; tokens: Token[] }
  | { type: "pageBreak"; raw: string };

const maxFormulaChars = 4_000;

const formula = (raw: string, source: string, isDisplay: boolean): AddedToken => ({
  type: "formula",
  raw,
  source: source.trim(),
  isDisplay,
});

/** A pair of dollars around words is two prices: it holds no sign of TeX. */
const isProse = (source: string): boolean => !/[\\^_={}<>]/.test(source) && /[^\W\d_]{3,}[\s,.;]|[\s,.;][^\W\d_]{3,}/.test(source);

const previousSign = (tokens: readonly Token[]): string => tokens.at(-1)?.raw.at(-1) ?? " ";

function inlineFormula(src: string, tokens: readonly Token[]): AddedToken | undefined {
  const display = /^\$\$([^$]{1,4000}?)\$\$/.exec(src) ?? /^\\\[([\s\S]{1,4000}?)\\\]/.exec(src);
  if (display) return formula(display[0], display[1] ?? "", true);
  const round = /^\\\(([\s\S]{1,4000}?)\\\)/.exec(src);
  if (round) return formula(round[0], round[1] ?? "", false);
  // As Pandoc reads it: no space inside of the dollars, no digit behind them.
  const dollars = /^\$(?![\s$])((?:\\[\s\S]|[^$\\]){0,3999}?(?:\\[\s\S]|[^\s$\\]))\$(?!\d)/.exec(src);
  if (!dollars || /[\w$]/.test(previousSign(tokens)) || isProse(dollars[1] ?? "")) return undefined;
  return formula(dollars[0], dollars[1] ?? "", false);
}

function blockFormula(src: string): AddedToken | undefined {
  const found =
    /^ {0,3}\$\$[ \t]*((?:(?!\$\$|\n[ \t]*\n)[\s\S]){1,4000})\$\$[ \t]*(?:\n+|$)/.exec(src) ??
    /^ {0,3}\\\[((?:(?!\\\]|\n[ \t]*\n)[\s\S]){1,4000})\\\][ \t]*(?:\n+|$)/.exec(src) ??
    /^ {0,3}(\\begin\{(equation|align|gather|multline|eqnarray)(\*?)\}(?:(?!\n[ \t]*\n)[\s\S]){1,4000}?\\end\{\2\3\})[ \t]*(?:\n+|$)/.exec(
      src,
    );
  return found && found[0].length <= maxFormulaChars ? formula(found[0], found[1] ?? "", true) : undefined;
}

/** A break in the usual spellings of LaTeX, HTML and Markdown editors. */
export const isPageBreak = (line: string): boolean =>
  /^\s*(?:\\(?:pagebreak|newpage|clearpage)|<!--\s*(?:page[ _-]?break|new[ _-]?page)\s*-->|\{\{?\s*page-?break\s*\}?\}|\[(?:page-?break|newpage)\])\s*$/i.test(
    line,
  ) ||
  /^\s*<(div|p|br|hr|span)\b[^>]*(?:(?:page-)?break-(?:after|before)\s*:\s*(?:always|page)|class\s*=\s*["']?[^"'>]*\bpage-?break\b)[^>]*>(?:\s|&nbsp;)*(?:<\/\1>)?\s*$/i.test(
    line,
  );

/** Finds the line that may end the paragraph above it. */
const lineWith =
  (form: RegExp) =>
  (src: string): number | undefined => {
    const found = form.exec(src);
    return found ? found.index + 1 : undefined;
  };

const added: TokenizerExtension[] = [
  {
    name: "pageBreak",
    level: "block",
    start: lineWith(/\n {0,3}(?:\\(?:page|new|clear)|<|\{|\[(?!\^))/),
    tokenizer(src) {
      const line = /^[^\n]{1,500}/.exec(src)?.[0] ?? "";
      const raw = isPageBreak(line) ? (/^[^\n]*(?:\n+|$)/.exec(src)?.[0] ?? "") : "";
      return raw === "" ? undefined : { type: "pageBreak", raw };
    },
  },
  {
    name: "blockFormula",
    level: "block",
    start: lineWith(/\n {0,3}(?:\$\$|\\\[|\\begin\{)/),
    tokenizer: (src) => blockFormula(src),
  },
  {
    name: "footnote",
    level: "block",
    start: lineWith(/\n\[\^[^\]\s]{1,100}\]:/),
    tokenizer(src) {
      const found =
        /^\[\^([^\]\s]{1,100})\]:[ \t]*((?:[^\n]*)(?:\n(?!\[\^|[ \t]*\n)[^\n]+)*(?:\n(?:[ \t]*\n)+(?: {2,}|\t)[^\n]+)*)(?:\n+|$)/.exec(src);
      if (!found) return undefined;
      const text = (found[2] ?? "").replaceAll(/\n[ \t]+/g, "\n");
      return { type: "footnote", raw: found[0], name: found[1], tokens: this.lexer.blockTokens(text, []) };
    },
  },
  {
    name: "formula",
    level: "inline",
    start: (src) => /\$|\\[([]/.exec(src)?.index,
    tokenizer: (src, tokens) => inlineFormula(src, tokens as Token[]),
  },
  {
    name: "footnoteMark",
    level: "inline",
    start: (src) => /\[\^|\^\[/.exec(src)?.index,
    tokenizer(src) {
      const mark = /^\[\^([^\]\s]{1,100})\]/.exec(src);
      if (mark) return { type: "footnoteMark", raw: mark[0], name: mark[1] };
      const inline = /^\^\[((?:[^[\]]|\[[^[\]]*\]){1,4000})\]/.exec(src);
      return inline ? { type: "inlineFootnote", raw: inline[0], tokens: this.lexer.inlineTokens(inline[1] ?? "") } : undefined;
    },
  },
  {
    name: "mark",
    level: "inline",
    start: (src) => src.indexOf("=="),
    tokenizer(src, tokens) {
      const found = /^==(?![\s=])([^\n]{0,2000}?[^\s=])==(?![=\w])/.exec(src);
      // A comparison of code, such as a==b, has letters on both sides.
      if (!found || /\w/.test(previousSign(tokens as Token[]))) return undefined;
      return { type: "mark", raw: found[0], tokens: this.lexer.inlineTokens(found[1] ?? "") };
    },
  },
  {
    name: "superscript",
    level: "inline",
    start: (src) => src.indexOf("^"),
    tokenizer(src) {
      const found = /^\^([^\s^[\]]{1,200})\^/.exec(src);
      return found ? { type: "superscript", raw: found[0], tokens: this.lexer.inlineTokens(found[1] ?? "") } : undefined;
    },
  },
  {
    name: "subscript",
    level: "inline",
    start: (src) => src.indexOf("~"),
    tokenizer(src) {
      const found = /^~([^\s~]{1,200})~(?!~)/.exec(src);
      return found ? { type: "subscript", raw: found[0], tokens: this.lexer.inlineTokens(found[1] ?? "") } : undefined;
    },
  },
];

/** Footnotes, formulas, page breaks, marks, super- and subscripts, beside GFM. */
export const addedSyntax: MarkedExtension = { extensions: added };
