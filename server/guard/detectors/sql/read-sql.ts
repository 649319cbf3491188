/** One token of a SQL text; comments are no tokens. */
export type SqlToken = {
  kind: "word" | "name" | "string" | "number" | "parameter" | "sign";
  /** A word in lower case; the content of a string or of a quoted name; the sign itself. */
  value: string;
  /** The number of open parentheses around the token. */
  depth: number;
};

export type SqlReading = {
  /** The statements, without empty ones. */
  statements: readonly (readonly SqlToken[])[];
  isMysql: boolean;
  /** The reason why the text cannot be read to its end, as a sentence part; null when it can. */
  unreadable: string | null;
};

const common = [
  String.raw`(?<parameter>\$\w+(?![\w$])|\?\d*|(?<!:):[\p{L}_]\w*|%s(?!\w)|%\(\w+\)s|\{\w+:\s*\w+\})`,
  String.raw`(?<number>0x[\da-f]+|\d[\d.]*(?:e[+-]?\d+)?)`,
  "(?<sign>.)",
];
const backticks = "`(?:[^`]|``)*`(?!`)";
const standard = new RegExp(
  [
    String.raw`(?<skip>\s+|--[^\n]*)`,
    String.raw`(?<string>e'(?:[^'\\]|\\.|'')*'(?!')|n?'(?:[^']|'')*'(?!')|\$(?<tag>(?:[\p{L}_]\w*)?)\$.*?\$\k<tag>\$)`,
    `(?<name>"(?:[^"]|"")*"(?!")|${backticks})`,
    String.raw`(?<word>[\p{L}_@][\p{L}\p{N}_@$#]*)`,
    ...common,
  ].join("|"),
  "isuy",
);
const mysql = new RegExp(
  [
    String.raw`(?<skip>\s+|#[^\n]*|--(?=\s|$)[^\n]*|\*/)`,
    String.raw`(?<string>n?'(?:[^'\\]|\\.|'')*'(?!')|"(?:[^"\\]|\\.|"")*"(?!"))`,
    `(?<name>${backticks})`,
    String.raw`(?<word>[\p{L}_@][\p{L}\p{N}_@$]*)`,
    ...common,
  ].join("|"),
  "isuy",
);
const kinds = ["word", "name", "string", "number", "parameter", "sign"] as const;

/**
 * Reads a SQL text as the standard does, and again as MySQL does when that differs, because the target system is
 * unknown. The reader understands only quotes, comments and parentheses, because the time of a full grammar would be
 * under control of a hostile text.
 */
export function readSql(text: string): SqlReading[] {
  const differs = /[\\#"]|\/\*M?!|--\S|\$\w*\$|\/\*[^*]*\/\*/i.test(text);
  return differs ? [readAs(text, standard), readAs(text, mysql)] : [readAs(text, standard)];
}

function readAs(text: string, pattern: RegExp): SqlReading {
  const isMysql = pattern === mysql;
  let statement: SqlToken[] = [];
  const statements = [statement];
  let depth = 0;
  const found = (unreadable: string | null): SqlReading => ({
    statements: statements.filter(({ length }) => length > 0),
    isMysql,
    unreadable,
  });
  for (let at = 0; at < text.length; ) {
    if (text.startsWith("/*", at)) {
      at = afterComment(text, at, isMysql);
      if (at < 0) return found("a comment is not closed");
      continue;
    }
    pattern.lastIndex = at;
    const groups = pattern.exec(text)?.groups;
    const start = at;
    at = pattern.lastIndex;
    const kind = kinds.find((kind) => groups?.[kind] !== undefined);
    if (!kind) continue;
    const written = text.slice(start, at);
    if (written === ";") {
      statement = [];
      statements.push(statement);
      continue;
    }
    if (kind === "sign" && (/['"`]/.test(written) || (!isMysql && /^\$(?:[\p{L}_]\w*)?\$/u.test(text.slice(start, start + 64)))))
      return found("a quote is not closed");
    if (written === ")") depth -= 1;
    if (depth < 0) return found("a parenthesis is closed that is not open");
    statement.push({ kind, value: kind === "string" || kind === "name" ? unquoted(written) : written.toLowerCase(), depth });
    if (written === "(") depth += 1;
  }
  return found(depth > 0 ? "a parenthesis is not closed" : null);
}

/**
 * Skips a comment.
 * @returns the position behind the comment, or behind the opening of a comment that MySQL runs; -1 when it is not
 * closed
 */
function afterComment(text: string, start: number, isMysql: boolean): number {
  const [run] = isMysql ? (/^\/\*M?!\d*/i.exec(text.slice(start, start + 20)) ?? []) : [];
  if (run !== undefined) return start + run.length;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  for (let open = 0, mark = marks.exec(text); mark; mark = marks.exec(text)) {
    // Comments nest in the standard, but not in MySQL.
    open = mark[0] === "*/" ? open - 1 : isMysql ? 1 : open + 1;
    if (open === 0) return marks.lastIndex;
  }
  return -1;
}

function unquoted(written: string): string {
  const quoted = written.replace(/^[en](?=')/i, "");
  if (quoted.startsWith("$")) return quoted.slice(quoted.indexOf("$", 1) + 1, quoted.lastIndexOf("$", quoted.length - 2));
  const mark = quoted.charAt(0);
  return quoted.slice(1, -1).replaceAll(mark + mark, mark);
}
