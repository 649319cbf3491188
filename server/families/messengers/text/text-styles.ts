import { lexer, type Token, type Tokens } from "marked";

/** The syntax of a platform for bold, code and links. `markdown`: as it is. */
export type TextStyle = "html" | "slack" | "whatsapp" | "markdown" | "plain";

type Marks = {
  escape: (text: string) => string;
  bold: (text: string) => string;
  italic: (text: string) => string;
  strike: (text: string) => string;
  code: (text: string) => string;
  block: (text: string, language: string) => string;
  link: (text: string, address: string) => string;
  quote: (text: string) => string;
};

const same = (text: string): string => text;
const around = (mark: string) => (text: string) => (text.trim() === "" ? text : `${mark}${text}${mark}`);
const linesQuoted = (text: string): string => text.replace(/^/gm, "> ");
const named = (text: string, address: string): string => (text === address || text === "" ? address : `${text} (${address})`);
const escapeHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const attribute = (text: string): string => escapeHtml(text).replaceAll('"', "&quot;");
/** Only addresses that open a page or a mail become links. */
const isLink = (address: string): boolean => /^(https?:\/\/|mailto:|tg:\/\/)/i.test(address);

const marks: Readonly<Record<Exclude<TextStyle, "markdown">, Marks>> = {
  html: {
    escape: escapeHtml,
    bold: (text) => `<b>${text}</b>`,
    italic: (text) => `<i>${text}</i>`,
    strike: (text) => `<s>${text}</s>`,
    code: (text) => `<code>${text}</code>`,
    block: (text, language) =>
      /^[\w+#-]{1,30}$/.test(language) ? `<pre><code class="language-${attribute(language)}">${text}</code></pre>` : `<pre>${text}</pre>`,
    link: (text, address) => (isLink(address) ? `<a href="${attribute(address)}">${text}</a>` : `${text} (${escapeHtml(address)})`),
    quote: (text) => `<blockquote>${text}</blockquote>`,
  },
  slack: {
    escape: escapeHtml,
    bold: around("*"),
    italic: around("_"),
    strike: around("~"),
    code: around("`"),
    block: (text) => `\`\`\`\n${text}\n\`\`\``,
    link: (text, address) =>
      isLink(address) ? `<${escapeHtml(address).replaceAll("|", "%7C")}|${text.replaceAll("|", "¦")}>` : named(text, escapeHtml(address)),
    quote: linesQuoted,
  },
  whatsapp: {
    escape: same,
    bold: around("*"),
    italic: around("_"),
    strike: around("~"),
    code: around("`"),
    block: (text) => `\`\`\`${text}\`\`\``,
    link: named,
    quote: linesQuoted,
  },
  plain: {
    escape: same,
    bold: same,
    italic: same,
    strike: same,
    code: same,
    block: same,
    link: named,
    quote: linesQuoted,
  },
};

/** Writes Markdown in the platform's own way. Text of the model never becomes markup of the platform. */
export function renderText(markdown: string, style: TextStyle): string {
  if (style === "markdown") return markdown;
  return blocks(lexer(markdown), marks[style]).trim();
}

function blocks(tokens: readonly Token[], to: Marks): string {
  return tokens
    .map((token) => block(token, to))
    .filter((text) => text !== "")
    .join("\n\n");
}

function block(token: Token, to: Marks): string {
  switch (token.type) {
    case "heading":
      return to.bold(inline((token as Tokens.Heading).tokens, to));
    case "code":
      return to.block(to.escape((token as Tokens.Code).text), (token as Tokens.Code).lang?.split(/\s/)[0] ?? "");
    case "blockquote":
      return to.quote(blocks((token as Tokens.Blockquote).tokens, to));
    case "list":
      return list(token as Tokens.List, to);
    case "table":
      return table(token as Tokens.Table, to);
    case "hr":
      return "———";
    case "space":
    case "def":
      return "";
    default:
      return "tokens" in token && token.tokens ? inline(token.tokens, to) : to.escape(textOf(token));
  }
}

function list({ items, ordered, start }: Tokens.List, to: Marks): string {
  return items
    .map((item, index) => {
      const mark = ordered ? `${(typeof start === "number" ? start : 1) + index}.` : item.task ? (item.checked ? "☑" : "☐") : "•";
      return `${mark} ${blocks(item.tokens, to).replaceAll("\n\n", "\n").replaceAll("\n", "\n   ")}`;
    })
    .join("\n");
}

/** Chats have no tables: each row is a line. */
function table({ header, rows }: Tokens.Table, to: Marks): string {
  const line = (cells: readonly Tokens.TableCell[]) => cells.map((cell) => inline(cell.tokens, to)).join(" | ");
  return [to.bold(line(header)), ...rows.map(line)].join("\n");
}

function inline(tokens: readonly Token[], to: Marks): string {
  return tokens
    .map((token): string => {
      switch (token.type) {
        case "strong":
          return to.bold(inline((token as Tokens.Strong).tokens, to));
        case "em":
          return to.italic(inline((token as Tokens.Em).tokens, to));
        case "del":
          return to.strike(inline((token as Tokens.Del).tokens, to));
        case "codespan":
          return to.code(to.escape((token as Tokens.Codespan).text));
        case "link":
          return to.link(inline((token as Tokens.Link).tokens, to), (token as Tokens.Link).href);
        case "image":
          return to.link(to.escape((token as Tokens.Image).text), (token as Tokens.Image).href);
        case "br":
          return "\n";
        default:
          return "tokens" in token && token.tokens ? inline(token.tokens, to) : to.escape(textOf(token));
      }
    })
    .join("");
}

/** HTML in a model's text is text. */
const textOf = (token: Token): string => ("text" in token && token.type !== "html" ? String(token.text) : token.raw);
