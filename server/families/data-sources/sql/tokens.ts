import type { DataSourceKind } from "@/contracts/data-sources";

/** The ways in which the supported databases write quotes and comments. */
export type Dialect = "postgresql" | "mysql" | "sqlite" | "clickhouse";

/** Returns the dialect of a kind of data source. */
export const dialectOf = (kind: DataSourceKind): Dialect => (kind === "mariadb" ? "mysql" : kind);

/** One token of a SQL text. `value`: a word in lower case, the content of a quoted name, or the text as written. */
export type SqlToken = { kind: "word" | "name" | "string" | "number" | "sign"; value: string; depth: number; start: number; end: number };

/** The tokens of a text, or the reason why it cannot be read. */
export type SqlTokens = { tokens: SqlToken[] } | { unreadable: string };

const word = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const number = /0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const space = /[ \t\r\n]+/y;
const standardString = /'(?:[^']|'')*'/y;
const backslashString = /'(?:[^'\\]|\\[\s\S]|'')*'/y;
const backslashDoubleQuoted = /"(?:[^"\\]|\\[\s\S]|"")*"/y;
const doubleQuoted = /"(?:[^"]|"")*"/y;
const backtickQuoted = /`(?:[^`]|``)*`/y;
const backslashBacktick = /`(?:[^`\\]|\\[\s\S]|``)*`/y;
const bracketed = /\[[^\]]*\]/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;

type Quotes = { string: RegExp; double: RegExp; doubleIs: "name" | "string"; backtick: RegExp | null; bracket: RegExp | null };
const quotesOf: Record<Dialect, Quotes> = {
  postgresql: { string: standardString, double: doubleQuoted, doubleIs: "name", backtick: null, bracket: null },
  mysql: { string: backslashString, double: backslashDoubleQuoted, doubleIs: "string", backtick: backtickQuoted, bracket: null },
  sqlite: { string: standardString, double: doubleQuoted, doubleIs: "name", backtick: backtickQuoted, bracket: bracketed },
  clickhouse: { string: backslashString, double: backslashDoubleQuoted, doubleIs: "name", backtick: backslashBacktick, bracket: null },
};

/** Reads a text into tokens as its database does, in linear time. Comments are no tokens. */
export function readTokens(text: string, dialect: Dialect): SqlTokens {
  const quotes = quotesOf[dialect];
  const tokens: SqlToken[] = [];
  let depth = 0;
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  const push = (kind: SqlToken["kind"], written: string, value = written) => {
    tokens.push({ kind, value, depth, start: at, end: at + written.length });
    at += written.length;
  };
  while (at < text.length) {
    const char = text.charAt(at);
    const blank = take(space);
    if (blank !== null) {
      at += blank.length;
      continue;
    }
    const comment = commentEnd(text, at, dialect);
    if (typeof comment === "string") return { unreadable: comment };
    if (comment !== null) {
      at = comment;
      continue;
    }
    if (char === "'") {
      const previous = tokens.at(-1);
      // PostgreSQL continues E'...' over a line end with the same escapes, which a reader of single strings gets wrong.
      if (dialect === "postgresql" && previous?.kind === "string")
        return { unreadable: "two strings stand side by side; join them with ||" };
      const isEscaped = dialect === "postgresql" && previous?.kind === "word" && previous.value === "e" && previous.end === at;
      const written = take(isEscaped ? backslashString : quotes.string);
      if (written === null) return { unreadable: "a quote is not closed" };
      push("string", written);
    } else if (char === '"') {
      const written = take(quotes.double);
      if (written === null) return { unreadable: "a quote is not closed" };
      if (quotes.doubleIs === "string") push("string", written);
      else push("name", written, unquoted(written, dialect));
    } else if (char === "`" && quotes.backtick) {
      const written = take(quotes.backtick);
      if (written === null) return { unreadable: "a quote is not closed" };
      push("name", written, unquoted(written, dialect));
    } else if (char === "[" && quotes.bracket) {
      const written = take(quotes.bracket);
      if (written === null) return { unreadable: "a bracket is not closed" };
      push("name", written, written.slice(1, -1));
    } else if (char === "$" && (dialect === "postgresql" || dialect === "clickhouse") && take(dollarTag) !== null) {
      const tag = take(dollarTag) ?? "";
      const end = text.indexOf(tag, at + tag.length);
      if (end < 0) return { unreadable: "a dollar quote is not closed" };
      push("string", text.slice(at, end + tag.length));
    } else {
      const other = take(word);
      const digits = other === null ? take(number) : null;
      if (other !== null) push("word", other, asciiLowerCase(other));
      else if (digits !== null) push("number", digits);
      else {
        if (char === ")") depth -= 1;
        if (depth < 0) return { unreadable: "a parenthesis is closed that is not open" };
        push("sign", char);
        if (char === "(") depth += 1;
      }
    }
  }
  return depth > 0 ? { unreadable: "a parenthesis is not closed" } : { tokens };
}

export const isSign = (sign: string) => (token: SqlToken | undefined) => token?.kind === "sign" && token.value === sign;

export const isWord = (token: SqlToken | undefined, value: string): boolean => token?.kind === "word" && token.value === value;

/** Returns the names in front of a parenthesis, which may be functions. */
export const functionsIn = (tokens: readonly SqlToken[]): string[] =>
  tokens.flatMap(({ kind, value }, index) => ((kind === "word" || kind === "name") && isSign("(")(tokens[index + 1]) ? [value] : []));

/** Returns the position behind a comment that starts here, null when none does, or why it must not stand there. */
function commentEnd(text: string, at: number, dialect: Dialect): number | string | null {
  const two = text.slice(at, at + 2);
  const isLine =
    dialect === "mysql"
      ? text[at] === "#" || (two === "--" && /^[ \t\n\r]?$/.test(text.slice(at + 2, at + 3)))
      : two === "--" || (dialect === "clickhouse" && (two === "# " || two === "#!"));
  if (isLine) {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  if (two !== "/*") return null;
  if (/^\/\*(?:M?!|\+)/i.test(text.slice(at, at + 4))) return "a comment that the database carries out or takes as a hint; leave it out";
  if (dialect !== "postgresql") {
    const end = text.indexOf("*/", at + 2);
    return end < 0 ? "a comment is not closed" : end + 2;
  }
  // Comments nest in PostgreSQL.
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  for (let open = 0, mark = marks.exec(text); mark; mark = marks.exec(text)) {
    open += mark[0] === "/*" ? 1 : -1;
    if (open === 0) return marks.lastIndex;
  }
  return "a comment is not closed";
}

/** Databases fold the letters A to Z of a name, and JavaScript would fold others too. */
const asciiLowerCase = (name: string) => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

function unquoted(written: string, dialect: Dialect): string {
  const quote = written.charAt(0);
  const content = written.slice(1, -1).replaceAll(quote + quote, quote);
  return dialect === "clickhouse" ? content.replaceAll(/\\([\s\S])/g, "$1") : content;
}
