import { columnIn, inside, written } from "./comparison";
import { isSign, isWord, splitAt } from "./condition-tree";
import type { SqlToken } from "./read-sql";

/** Which rows a condition is true of, as far as it says so by itself. */
export type Reach = "all" | "some" | "none";

/** The rows that a condition chooses among. */
export type Rows = {
  /** Names of the table that is changed, each the last part of one. */
  tables: ReadonlySet<string>;
  /** What a WHERE inside the condition means. */
  reach: (where: readonly SqlToken[], rows: Rows) => Reach;
  /** The statement that a WITH around it gives a name. */
  statementNamed: (name: string) => readonly SqlToken[] | null;
  /** Whether the table is among those that it is joined with, so that `a.id = b.id` is true of every row. */
  isJoinedWithItself: boolean;
  /** Statements around this one. */
  depth: number;
};

const maxDepth = 3;

/** Words after which a statement gives no longer a row for each row of its table. */
const fewer = /^(?:limit|top|fetch|offset|group|having|join|intersect|except|minus|tablesample|qualify|window)$/;

/**
 * Whether a statement inside a condition gives the wanted columns of every row of the table that is changed: nothing is
 * left out then. Without columns that are wanted, whether it gives any row at all, which it does as often as there is one.
 */
export function coversTable(tokens: readonly SqlToken[], wanted: readonly SqlToken[] | null, rows: Rows): boolean {
  if (rows.depth >= maxDepth) return true;
  const arms = splitAt(plainly(tokens), (token) => isWord(token, /^union$/));
  if (arms.length > 1) return arms.some((arm) => coversTable(isWord(arm[0], /^all$/) ? arm.slice(1) : arm, wanted, rows));
  const parts = partsOf(tokens);
  if (!parts) return false;
  const { columns, source, where } = parts;
  if (wanted === null && isAggregate(columns) && !hasWord(tokens, /^(?:group|having)$/)) return true;
  if (wanted === null && source.length === 0) return where.length === 0 || !isEmpty(where, rows);
  if (hasWord(tokens, fewer) || (wanted !== null && !givesColumns(columns, wanted))) return false;
  if (!isWholeTable(source, wanted, rows)) return false;
  return where.length === 0 || rows.reach(where, within(rows)) === "all";
}

/** Whether a statement inside a condition evidently gives no row. */
export function holdsNothing(tokens: readonly SqlToken[], rows: Rows): boolean {
  const parts = partsOf(tokens);
  if (!parts || rows.depth >= maxDepth || parts.where.length === 0 || isAggregate(parts.columns)) return false;
  return isEmpty(parts.where, rows);
}

const isEmpty = (where: readonly SqlToken[], rows: Rows) => rows.reach(where, within(rows)) === "none";
const within = (rows: Rows): Rows => ({ ...rows, isJoinedWithItself: true, depth: rows.depth + 1 });

/** `id <= (select max(id) from t)`. */
export function takesExtreme(tokens: readonly SqlToken[], operator: string, subject: readonly SqlToken[], rows: Rows): boolean {
  const parts = partsOf(tokens);
  const extreme = operator === "<=" ? /^max$/ : operator === ">=" ? /^min$/ : null;
  if (!parts || !extreme || hasWord(tokens, fewer)) return false;
  const [first] = parts.columns;
  const column = columnIn(subject)?.column;
  return (
    isWord(first, extreme) &&
    column !== undefined &&
    columnIn(inside(parts.columns.slice(1)))?.column === column &&
    isWholeTable(parts.source, null, rows)
  );
}

type Parts = { columns: readonly SqlToken[]; source: readonly SqlToken[]; where: readonly SqlToken[] };

/** Whether tokens are a statement that gives rows. */
export const isStatement = ([first]: readonly SqlToken[]): boolean => isWord(first, /^(?:select|with|table)$/);

/** `with q as (...) select ...` without what it gives names, and `table t` as the SELECT that it stands for. */
function plainly(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const [first] = tokens;
  if (isWord(first, /^with$/))
    return tokens.slice(
      Math.max(
        0,
        tokens.findIndex((token) => token.depth === first?.depth && isWord(token, /^select$/)),
      ),
    );
  if (!first || !isWord(first, /^table$/)) return tokens;
  const sign = { ...first, kind: "sign" as const, value: "*" };
  return [{ ...first, value: "select" }, sign, { ...first, value: "from" }, ...tokens.slice(1)];
}

function partsOf(given: readonly SqlToken[]): Parts | null {
  const tokens = plainly(given);
  const [select, quantifier] = tokens;
  if (!isWord(select, /^select$/)) return null;
  const base = select?.depth;
  const indexOf = (word: RegExp) => tokens.findIndex((token) => token.depth === base && isWord(token, word));
  const [from, where, end] = [indexOf(/^from$/), indexOf(/^where$/), indexOf(/^(?:order|limit|fetch|offset|group|having|window|for)$/)];
  const until = (...marks: number[]) => Math.min(...marks.filter((mark) => mark > 0), tokens.length);
  return {
    columns: tokens.slice(isWord(quantifier, /^(?:distinct|all)$/) ? 2 : 1, until(from, where, end)),
    source: from < 0 ? [] : tokens.slice(from + 1, until(where, end)),
    where: where < 0 ? [] : tokens.slice(where + 1, until(end)),
  };
}

function hasWord(tokens: readonly SqlToken[], word: RegExp): boolean {
  const base = tokens[0]?.depth;
  return tokens.some((token) => token.depth === base && isWord(token, word));
}

function isAggregate([first, open]: readonly SqlToken[]): boolean {
  return isWord(first, /^(?:count|sum|min|max|avg)$/) && isSign(open, /^\($/);
}

/** The wanted column among the selected ones at its place, by its last name; `*` has it. */
function givesColumns(columns: readonly SqlToken[], wanted: readonly SqlToken[]): boolean {
  if (isSign(columns.at(-1), /^\*$/)) return true;
  const lists = [columns, inside(wanted)].map((list) => splitAt(list, (token) => isSign(token, /^,$/)));
  const [given = [], asked = []] = lists;
  return given.length === asked.length && given.every((column, at) => nameOf(column) === nameOf(asked[at] ?? []));
}

const nameOf = (tokens: readonly SqlToken[]): string => columnIn(tokens)?.column ?? written(tokens);

/** Whether what stands behind FROM is the table itself, a WITH or a statement that gives all of it. */
function isWholeTable(source: readonly SqlToken[], wanted: readonly SqlToken[] | null, rows: Rows): boolean {
  const tokens = isWord(source[0], /^(?:only|lateral)$/) ? source.slice(1) : source;
  const base = tokens[0]?.depth;
  if (tokens.some((token) => token.depth === base && isSign(token, /^,$/))) return false;
  if (isSign(tokens[0], /^\($/)) {
    const close = tokens.findIndex((token, at) => at > 0 && token.depth === base);
    return coversTable(tokens.slice(1, close), wanted, within(rows));
  }
  const name = tableIn(tokens);
  const statement = name === null || rows.tables.has(name) ? null : rows.statementNamed(name);
  if (statement) return coversTable(statement, wanted, within(rows));
  return name !== null && rows.tables.has(name);
}

/** The last part of a name that stands at the beginning: `public.users as u` is `users`. */
export function tableIn(tokens: readonly SqlToken[]): string | null {
  let name: string | null = null;
  for (let at = 0; at < tokens.length; at += 2) {
    const token = tokens[at];
    if (token?.kind !== "name" && token?.kind !== "word" && token?.kind !== "string") return name;
    name = token.value.toLowerCase();
    if (!isSign(tokens[at + 1], /^\.$/)) return name;
  }
  return name;
}
