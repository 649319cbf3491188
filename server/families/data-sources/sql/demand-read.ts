import { AppError } from "@/server/platform/errors";
import type { Dialect } from "@/server/sql-text/dialects";
import { functionsIn, isSign, isWord, readTokens, type SqlToken } from "@/server/sql-text/read-tokens";
import { beginsAsQuery, explainedQueryAt, explainOptions, isShow } from "./explain-and-show";
import { clickhouseTableFunctions, isHiddenRelation, refusedFunction } from "./functions";
import { type Measures, measuresOf } from "./measures";

/** Longest statement, in characters. */
export const maxSqlChars = 20_000;

/** A statement that only reads, without comments and without the final semicolon. */
export type ReadStatement = {
  /** `show` includes DESCRIBE. */
  kind: "query" | "explain" | "show";
  text: string;
  /** EXPLAIN with its options, and the query behind it; null for other kinds. */
  explain: { options: string; query: string } | null;
  /** Names in front of a parenthesis. */
  functions: readonly string[];
  measures: Measures | null;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what the text must not hold
const hasControlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Verbs of statements that change something where they follow WITH or open parentheses. */
const changes = new Set(["insert", "update", "delete", "merge", "replace", "upsert"]);

/**
 * Returns the one read statement that a text holds. The database proves it again in a read-only session.
 * @throws AppError `invalid` with the reason and the way out
 */
export function demandRead(sql: string, dialect: Dialect): ReadStatement {
  if (sql.length > maxSqlChars) throw refused(`the statement has ${sql.length} characters, and ${maxSqlChars} are the most`);
  // Databases differ in the control characters that they take for blanks.
  if (hasControlCharacter.test(sql)) throw refused("it holds a control character");
  const read = readTokens(sql, dialect);
  if (dialect === "postgresql" && read.tokens.some(({ kind }, index) => kind === "string" && read.tokens[index + 1]?.kind === "string"))
    throw refused("two strings stand side by side; join them with ||");
  if (read.unreadable !== null) throw refused(read.unreadable);
  const tokens = withoutFinalSemicolons(read.tokens);
  if (tokens.some(isSign(";"))) throw refused("it holds several statements; send one at a time");
  const kind = kindOf(tokens, dialect);
  if (kind === null) throw refused(reasonAgainstKind(tokens, dialect));
  const queryAt = kind === "explain" ? (explainedQueryAt(tokens, dialect) ?? 0) : 0;
  // The options of EXPLAIN are an allowlist; the query behind it is read as one without EXPLAIN.
  const checked = tokens.slice(queryAt);
  for (const [index, token] of checked.entries()) {
    const reason = isColumnList(checked, index) ? null : reasonAgainst(token, checked[index - 1], checked[index + 1], dialect);
    if (reason !== null) throw refused(reason);
  }
  return {
    kind,
    text: withoutComments(sql, tokens),
    explain: kind === "explain" ? { options: withoutComments(sql, tokens.slice(0, queryAt)), query: withoutComments(sql, checked) } : null,
    functions: functionsIn(checked),
    measures: kind === "query" ? measuresOf(tokens) : null,
  };
}

const dialects: readonly Dialect[] = ["postgresql", "mysql", "sqlite", "clickhouse"];

/** Returns whether a text begins like a statement that reads, in any dialect. */
export function beginsLikeRead(sql: string): boolean {
  return dialects.some((dialect) => {
    const read = readTokens(sql, dialect);
    return read.unreadable === null && kindOf(withoutFinalSemicolons(read.tokens), dialect) !== null;
  });
}

function kindOf(tokens: readonly SqlToken[], dialect: Dialect): ReadStatement["kind"] | null {
  if (beginsAsQuery(tokens)) return "query";
  if (explainedQueryAt(tokens, dialect) !== null) return "explain";
  return isShow(tokens, dialect) ? "show" : null;
}

function reasonAgainstKind([first]: readonly SqlToken[], dialect: Dialect): string {
  if (first?.kind === "word" && first.value === "explain")
    return `EXPLAIN shows the plan of one SELECT, with the options ${explainOptions[dialect]}`;
  if (dialect === "sqlite") return "it does not begin with SELECT, WITH or EXPLAIN; datasource describes tables";
  return first?.kind === "word" && first.value === "show"
    ? "this SHOW is not among those that are known to only read"
    : "it does not begin with SELECT, WITH, EXPLAIN or SHOW";
}

function reasonAgainst(token: SqlToken, before: SqlToken | undefined, after: SqlToken | undefined, dialect: Dialect): string | null {
  const { kind, value } = token;
  if (dialect === "clickhouse" && (kind === "word" || kind === "sign") && /[^\x20-\x7e]/.test(value))
    return `the character ${value.slice(0, 1)} must stand in quotes`;
  if (kind === "word" || kind === "name") {
    // PostgreSQL cuts longer names, so that another function would run than the one that was looked up.
    if (dialect === "postgresql" && Buffer.byteLength(value) > 63) return "a name has more than 63 bytes";
    if (isHiddenRelation(value, dialect)) return `${value} holds secrets of the database server`;
    if (dialect === "mysql" && value.toLowerCase() === "mysql" && isSign(".")(after))
      return "the schema mysql holds passwords of the server";
    if (dialect === "sqlite" && /^pragma_/i.test(value)) return `${value} is not a table; datasource describes tables`;
    const reason = after && isSign("(")(after) ? refusedFunction(value, dialect) : null;
    if (reason !== null) return reason;
  }
  if (kind !== "word" || isSign(".")(before)) return null;
  if (value === "into") return "INTO writes; leave it out";
  if (value === "u" && dialect === "postgresql" && isSign("&")(after) && after?.start === token.end)
    return "text of the form U& is not accepted; write the characters";
  if (value === "for" && after?.kind === "word" && /^(?:update|share|no|key)$/.test(after.value))
    return "FOR UPDATE and FOR SHARE lock rows";
  if (value === "lock" && isWord(after, "in")) return "LOCK IN SHARE MODE locks rows";
  if (value === "next" && isWord(after, "value")) return "NEXT VALUE FOR changes a sequence";
  if (changes.has(value) && (before === undefined || isSign("(")(before) || isSign(")")(before)) && !(after && isSign("(")(after)))
    return `${value.toUpperCase()} changes rows`;
  return dialect === "clickhouse" ? clickhouseReason(token, before, after) : null;
}

function clickhouseReason({ value }: SqlToken, before: SqlToken | undefined, after: SqlToken | undefined): string | null {
  if (value === "settings") return "SETTINGS is not accepted; quote a column of this name";
  if (value === "format" && after?.kind === "word") return "FORMAT is not accepted; the result comes as a table or JSON";
  const isTable = before?.kind === "word" && (before.value === "from" || before.value === "join" || before.value === "in");
  if (isTable && after && isSign("(")(after) && !clickhouseTableFunctions.has(value)) return `the table function ${value} is not accepted`;
  return null;
}

/** Returns whether a name and its parenthesis are a table with names of columns, as in `WITH t(a, b) AS (...)` and `AS t(a, b)`. */
function isColumnList(tokens: readonly SqlToken[], index: number): boolean {
  const [token, open] = [tokens[index], tokens[index + 1]];
  if (!token || !open || !isSign("(")(open) || isWord(token, "into")) return false;
  const before = tokens[index - 1];
  if (before?.kind === "word" && (before.value === "as" || before.value === "recursive" || (before.value === "with" && index === 1)))
    return true;
  if (!before || !isSign(",")(before) || !isWord(tokens[0], "with") || token.depth > 0) return false;
  const close = tokens.findIndex((other, at) => at > index && other.depth === open.depth && isSign(")")(other));
  const [as, query] = [tokens[close + 1], tokens[close + 2]];
  return isWord(as, "as") && query !== undefined && isSign("(")(query);
}

/** Joins the tokens again, with a space where a comment or blanks stood: no comment reaches the database. */
function withoutComments(sql: string, tokens: readonly SqlToken[]): string {
  return tokens
    .map(({ start, end }, index) => `${index > 0 && tokens[index - 1]?.end !== start ? " " : ""}${sql.slice(start, end)}`)
    .join("");
}

function withoutFinalSemicolons(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const end = tokens.findLastIndex((token) => !isSign(";")(token));
  return tokens.slice(0, end + 1);
}

const refused = (reason: string) =>
  new AppError("invalid", `Only one statement that reads is allowed: ${reason}.`, { errors: [{ path: "sql", message: reason }] });
