import { reachOf } from "./always-true";
import { columnsIn } from "./comparison";
import { isSign, isWord, readCondition } from "./condition-tree";
import type { SqlToken } from "./read-sql";
import { type Reach, type Rows, tableIn } from "./subselects";

/** The tokens of the statement that begins at an index, up to the parenthesis that it stands in. */
function* from(tokens: readonly SqlToken[], index: number): Generator<SqlToken> {
  const depth = tokens[index]?.depth ?? 0;
  for (let at = index; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.depth < depth) return;
    yield token;
  }
}

/** Whether a word stands in the statement that begins at an index, in no deeper parentheses. */
export function hasAtDepth(tokens: readonly SqlToken[], index: number, word: string): boolean {
  const depth = tokens[index]?.depth;
  for (const token of from(tokens, index)) if (token.depth === depth && token.kind === "word" && token.value === word) return true;
  return false;
}

/** Where a condition ends: what else a statement says, and the next one where no sign stands between them. */
const afterCondition =
  /^(?:returning|limit|order|option|delete|update|insert|drop|truncate|merge|alter|create|exec|execute|declare|commit|go)$/;

/** Whether a WHERE says which rows are meant; one that is always true does not. */
export function isBounded(tokens: readonly SqlToken[], index: number): boolean {
  const depth = tokens[index]?.depth ?? 0;
  const statement: SqlToken[] = [];
  const condition: SqlToken[] = [];
  let inWhere = false;
  for (const token of from(tokens, index)) {
    const { kind, value, depth: at } = token;
    if (inWhere && at === depth && kind === "word" && afterCondition.test(value)) break;
    if (inWhere) condition.push(token);
    else if (at === depth && kind === "word" && value === "where") inWhere = true;
    else statement.push(token);
  }
  return isCondition(condition, rowsOf(tokens, statement));
}

/** Whether the ON of a MERGE says which rows of the target are meant. */
export function isMergeBounded(tokens: readonly SqlToken[], index: number): boolean {
  const { depth = 0 } = tokens[index] ?? {};
  const isAt = (token: SqlToken, word: RegExp) => token.depth === depth && isWord(token, word);
  const end = tokens.findIndex((token) => isAt(token, /^when$/));
  // A join in the source has an ON of its own, before that of the MERGE.
  const start = tokens.findLastIndex((token, at) => at < end && isAt(token, /^on$/));
  const first = tokens.findLastIndex((token, at) => at < start && isAt(token, /^merge$/));
  return start > 0 && isCondition(tokens.slice(start + 1, end), rowsOf(tokens, tokens.slice(Math.max(first, 0), start)));
}

/** Whether a condition names a column, and leaves some row out. */
function isCondition(tokens: readonly SqlToken[], rows: Rows): boolean {
  if (columnsIn(tokens).length === 0) return false;
  return reachOf(readCondition(tokens), rows) !== "all";
}

const beforeTable = /^(?:delete|update|merge|from|into|only|low_priority|quick|ignore|top|table|using|join)$/;

/** What is known of the rows that a statement chooses among, from what stands before its condition. */
function rowsOf(tokens: readonly SqlToken[], statement: readonly SqlToken[]): Rows {
  const depth = statement[0]?.depth ?? 0;
  const start = statement.findIndex((token, at) => at > 0 && !isWord(token, beforeTable));
  const table = start < 0 ? null : tableIn(statement.slice(start));
  const isName = (token: SqlToken | undefined) => token?.kind === "word" || token?.kind === "name";
  const sources = statement.filter(
    (token, at) =>
      token.depth === depth &&
      isName(token) &&
      !isWord(token, beforeTable) &&
      !isSign(statement[at + 1], /^\.$/) &&
      (isWord(statement[at - 1], beforeTable) || isSign(statement[at - 1], /^[,.]$/)),
  );
  const sourceTokens = new Set(sources);
  const timesNamed = Map.groupBy(sources, ({ value }) => value.toLowerCase());
  const tables = new Set(table === null ? [] : [table]);
  // `delete t from users as t`: the first name is another one for the table.
  for (const [at, token] of statement.entries()) {
    if (at <= start || !isName(token) || token.value.toLowerCase() !== table) continue;
    const before = statement[isWord(statement[at - 1], /^as$/) ? at - 2 : at - 1];
    if (before && sourceTokens.has(before)) tables.add(before.value.toLowerCase());
  }
  const isJoinedWithItself = [...tables].some((name) => (timesNamed.get(name)?.length ?? 0) > 1);
  return { tables, isJoinedWithItself, depth: 0, statementNamed: namesIn(tokens), reach: rememberingReach() };
}

/** What a WHERE inside means is asked more than once. */
function rememberingReach(): Rows["reach"] {
  const known = new Map<SqlToken | undefined, Reach>();
  return (where, rows) => {
    const reach = known.get(where[0]) ?? reachOf(readCondition(where), rows);
    known.set(where[0], reach);
    return reach;
  };
}

/** The statements that WITH gives names, found when one is asked for; of two of one name, the first. */
function namesIn(tokens: readonly SqlToken[]): Rows["statementNamed"] {
  let begins: Map<string, number> | null = null;
  return (name) => {
    begins ??= beginsOfNamed(tokens);
    const at = begins.get(name);
    if (at === undefined) return null;
    const depth = tokens[at - 1]?.depth;
    const close = tokens.findIndex((token, index) => index >= at && token.depth === depth);
    return tokens.slice(at, close);
  };
}

function beginsOfNamed(tokens: readonly SqlToken[]): Map<string, number> {
  const begins = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    const name = tokens[at - 1]?.value.toLowerCase();
    if (token.value !== "as" || name === undefined || begins.has(name)) continue;
    if (isWord(token, /^as$/) && isSign(tokens[at + 1], /^\($/) && isWord(tokens[at + 2], /^select$/)) begins.set(name, at + 2);
  }
  return begins;
}

/** `delete from "users"`: in MySQL, the quotes make a text of it, and a text is no table. */
export function hasTextForTable(tokens: readonly SqlToken[], index: number): boolean {
  const table = /^(?:delete from|update)$/;
  const [verb, next] = [tokens[index], tokens[index + 1]];
  return (
    (table.test(verb?.value ?? "") && next?.kind === "string") ||
    (table.test(`${verb?.value} ${next?.value}`) && tokens[index + 2]?.kind === "string")
  );
}
