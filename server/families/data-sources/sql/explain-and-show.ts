import type { Dialect } from "@/server/sql-text/dialects";
import { isSign, isWord, type SqlToken } from "@/server/sql-text/read-tokens";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Options in PostgreSQL's parentheses. Each changes the report alone, and ANALYZE also runs the query. */
const postgresqlOptions = words("analyze verbose costs settings generic_plan buffers serialize wal timing summary memory format");

/** Words between EXPLAIN and the query. */
const explainWords: Record<Dialect, ReadonlySet<string>> = {
  postgresql: words("analyze verbose"),
  mysql: words("analyze extended partitions"),
  sqlite: words("query plan"),
  clickhouse: words("ast syntax query tree plan pipeline estimate"),
};

/** The options of EXPLAIN, in words for people. */
export const explainOptions: Record<Dialect, string> = {
  postgresql: "ANALYZE, VERBOSE, BUFFERS and FORMAT among others",
  mysql: "ANALYZE and FORMAT",
  sqlite: "QUERY PLAN",
  clickhouse: "AST, SYNTAX, PLAN, PIPELINE and ESTIMATE, and settings that are numbers",
};

/** SHOW statements that only read, and show neither accounts nor statements of others. */
const shows: Partial<Record<Dialect, RegExp>> = {
  mysql:
    /^show (?:extended |full |global |session |local )*(?:tables|columns|fields|index|indexes|keys|table status|create (?:table|view)|databases|schemas|variables|status|engines|character set|charset|collation)\b/,
  clickhouse:
    /^show (?:extended |full |temporary )*(?:tables|databases|columns|fields|index|indexes|indices|keys|create (?:table|view)|functions|engines)\b/,
};

/** Returns whether tokens begin like a query. */
export function beginsAsQuery(tokens: readonly SqlToken[]): boolean {
  const first = tokens.find((token) => !isSign("(")(token));
  return first?.kind === "word" && ["select", "with", "values"].includes(first.value);
}

/** Returns the index of the query behind EXPLAIN and its options; null when the statement is not EXPLAIN of a query. */
export function explainedQueryAt(tokens: readonly SqlToken[], dialect: Dialect): number | null {
  const [verb] = tokens;
  // MariaDB runs a query with ANALYZE and reports as EXPLAIN does.
  const isExplain = isWord(verb, "explain") || (dialect === "mysql" && ["desc", "describe", "analyze"].some((word) => isWord(verb, word)));
  if (!isExplain) return null;
  const end = dialect === "postgresql" ? (endOfOptionList(tokens) ?? endOfWords(tokens, dialect)) : endOfWords(tokens, dialect);
  return beginsAsQuery(tokens.slice(end)) ? end : null;
}

/** Returns whether a statement is SHOW or DESCRIBE of something that every reader may see. */
export function isShow(tokens: readonly SqlToken[], dialect: Dialect): boolean {
  const [verb, ...rest] = tokens;
  if (verb?.kind !== "word" || rest.length === 0) return false;
  if (verb.value === "show" && dialect === "postgresql") return rest.every((token) => isName(token) || isSign(".")(token));
  if (verb.value === "show") {
    const end = tokens.findIndex(({ kind }) => kind !== "word");
    const leading = tokens.slice(0, end < 0 ? tokens.length : end);
    return shows[dialect]?.test(leading.map(({ value }) => value).join(" ")) ?? false;
  }
  const describes = { mysql: ["describe", "desc", "explain"], clickhouse: ["describe", "desc"], postgresql: [], sqlite: [] }[dialect];
  return describes.some((word) => word === verb.value) && isTableName(rest);
}

/** Returns the index behind PostgreSQL's list of options; null when there is none, or one with another option. */
function endOfOptionList(tokens: readonly SqlToken[]): number | null {
  if (!isSign("(")(tokens[1])) return null;
  for (let at = 2; ; at += 1) {
    const option = tokens[at];
    if (option?.kind !== "word" || !postgresqlOptions.has(option.value)) return null;
    if (isValue(tokens[at + 1])) at += 1;
    at += 1;
    if (isSign(")")(tokens[at])) return at + 1;
    if (!isSign(",")(tokens[at])) return null;
  }
}

function endOfWords(tokens: readonly SqlToken[], dialect: Dialect): number {
  for (let at = 1; ; ) {
    const token = tokens[at];
    if (token?.kind !== "word") return at;
    if (isAssigned(tokens, at, dialect)) {
      at += 3;
      if (dialect === "clickhouse" && isSign(",")(tokens[at])) at += 1;
    } else if (explainWords[dialect].has(token.value)) at += 1;
    else return at;
  }
}

/** `FORMAT = JSON` in MySQL, `indexes = 1` in ClickHouse. */
function isAssigned(tokens: readonly SqlToken[], at: number, dialect: Dialect): boolean {
  if (!isSign("=")(tokens[at + 1])) return false;
  if (dialect === "mysql") return isWord(tokens[at], "format") && tokens[at + 2]?.kind === "word";
  return dialect === "clickhouse" && tokens[at + 2]?.kind === "number";
}

/** A table with its schema, and perhaps one column. */
function isTableName(tokens: readonly SqlToken[]): boolean {
  const rest = isWord(tokens[0], "table") && tokens.length > 1 ? tokens.slice(1) : tokens;
  let at = 1;
  if (!isName(rest[0])) return false;
  while (isSign(".")(rest[at]) && isName(rest[at + 1])) at += 2;
  return at === rest.length || (at + 1 === rest.length && (isName(rest[at]) || rest[at]?.kind === "string"));
}

const isName = (token: SqlToken | undefined): boolean => token?.kind === "word" || token?.kind === "name";
const isValue = (token: SqlToken | undefined): boolean => token?.kind === "word" || token?.kind === "number";
