/** The databases whose SQL is read as they read it. */
export type Dialect = "postgresql" | "mysql" | "sqlite" | "clickhouse";

/** `standard` and `any_mysql` read SQL for an unknown target: they accept more, and have placeholders. */
export type Reading = Dialect | "standard" | "any_mysql";

/** How a dialect writes its tokens, as sources of patterns. An opening quote that matches no string and no name is not closed. */
export type Lexis = {
  skip: string;
  string: string;
  name: string;
  opening: string;
  word: string;
  number: string;
  placeholder: string | null;
  /** Names have backslashes before characters that stand for themselves. */
  escapesNames?: true;
  blockComments: "nest" | "flat";
  /** Comments that some database runs or takes as hints: the text is refused, their content is read, or they stay comments. */
  markedComments: "refuse" | "read" | "skip";
};

const line = String.raw`--[^\n]*`;
const single = "'(?:[^']|'')*'(?!')";
const escapedSingle = String.raw`'(?:[^'\\]|\\.|'')*'(?!')`;
const double = `"(?:[^"]|"")*"(?!")`;
const escapedDouble = String.raw`"(?:[^"\\]|\\.|"")*"(?!")`;
const backticks = "`(?:[^`]|``)*`(?!`)";
const escapedBackticks = "`(?:[^`\\\\]|\\\\.|``)*`(?!`)";
const quotes = "['\"`]";
/** Databases take each character beyond ASCII for a letter. */
const wide = String.raw`\u{80}-\u{10ffff}`;
const tag = `(?:[A-Za-z_${wide}][A-Za-z0-9_${wide}]*)?`;
const dollars = String.raw`\$(?<tag>${tag})\$.*?\$\k<tag>\$`;
const openDollars = String.raw`\$${tag}\$`;

const ofDatabase = {
  skip: String.raw`[ \t\r\n]+|${line}`,
  word: `[A-Za-z_${wide}][A-Za-z0-9_$${wide}]*`,
  number: String.raw`0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`,
  placeholder: null,
  blockComments: "flat",
  markedComments: "refuse",
} as const;

const ofUnknownTarget = {
  number: String.raw`0[xX][0-9A-Fa-f]+|\d[\d.]*(?:[eE][+-]?\d+)?`,
  placeholder: String.raw`\$\w+(?![\w$])|\?\d*|(?<!:):[\p{L}_]\w*|%[sS](?!\w)|%\(\w+\)[sS]|\{\w+:\s*\w+\}`,
} as const;

export const lexes: Readonly<Record<Reading, Lexis>> = {
  postgresql: {
    ...ofDatabase,
    string: `[eE]${escapedSingle}|${single}|${dollars}`,
    name: double,
    opening: `[eE]?'|"|${openDollars}`,
    blockComments: "nest",
  },
  mysql: {
    ...ofDatabase,
    skip: String.raw`[ \t\r\n]+|#[^\n]*|--(?=[ \t\r\n]|$)[^\n]*`,
    string: `${escapedSingle}|${escapedDouble}`,
    name: backticks,
    opening: quotes,
  },
  sqlite: { ...ofDatabase, string: single, name: String.raw`${double}|${backticks}|\[[^\]]*\]`, opening: String.raw`${quotes}|\[` },
  clickhouse: {
    ...ofDatabase,
    skip: String.raw`${ofDatabase.skip}|#[ !][^\n]*`,
    string: `${escapedSingle}|${dollars}`,
    name: `${escapedDouble}|${escapedBackticks}`,
    opening: `${quotes}|${openDollars}`,
    escapesNames: true,
  },
  standard: {
    ...ofUnknownTarget,
    skip: String.raw`\s+|${line}`,
    string: `[eE]${escapedSingle}|[nN]?${single}|${dollars}`,
    name: `${double}|${backticks}`,
    opening: `${quotes}|${openDollars}`,
    word: String.raw`[\p{L}_@][\p{L}\p{N}_@$#]*`,
    blockComments: "nest",
    markedComments: "skip",
  },
  any_mysql: {
    ...ofUnknownTarget,
    // `*/` ends a comment whose content is read.
    skip: String.raw`\s+|#[^\n]*|--(?=\s|$)[^\n]*|\*/`,
    string: `[nN]?${escapedSingle}|${escapedDouble}`,
    name: backticks,
    opening: quotes,
    word: String.raw`[\p{L}_@][\p{L}\p{N}_@$]*`,
    blockComments: "flat",
    markedComments: "read",
  },
};
