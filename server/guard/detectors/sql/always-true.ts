import { type Comparison, columnIn, columnsIn, inside, isConstantWord, readComparison, written } from "./comparison";
import { type Condition, compareValues, isSign, isWord, numberIn } from "./condition-tree";
import { type Literal, leavesNothingOut, literalOf, oppositeOf } from "./exhaustive";
import type { SqlToken } from "./read-sql";
import { coversTable, holdsNothing, isStatement, type Reach, type Rows, takesExtreme } from "./subselects";

/** What a condition says: which rows it means, and where it consists of choices, those. */
type Meaning = { reach: Reach; choices: readonly Literal[] };

const opposite: Record<Reach, Reach> = { all: "none", some: "some", none: "all" };

/**
 * The rows that a condition means: all where it leaves nothing out, whatever the rows hold. What compares nothing of the
 * row with anything also means all, unless it is evidently false.
 */
export function reachOf(condition: Condition, rows: Rows): Reach {
  return meaningOf(condition, rows, false, { so: new Map(), not: new Map() }).reach;
}

/** What parts mean as they are, and negated: one that is excluded by another stands in the tree twice. */
type Known = Record<"so" | "not", Map<Condition, Meaning>>;

function meaningOf(condition: Condition, rows: Rows, isNegated: boolean, known: Known): Meaning {
  const memory = known[isNegated ? "not" : "so"];
  const meaning = memory.get(condition) ?? freshMeaningOf(condition, rows, isNegated, known);
  memory.set(condition, meaning);
  return meaning;
}

function freshMeaningOf(condition: Condition, rows: Rows, isNegated: boolean, known: Known): Meaning {
  switch (condition.kind) {
    case "not":
      return meaningOf(condition.part, rows, !isNegated, known);
    case "constant":
      return { reach: condition.value === null ? "some" : condition.value !== isNegated ? "all" : "none", choices: [] };
    case "plain":
      return meaningOfPlain(condition.tokens, rows, isNegated);
    case "and":
    case "or": {
      const parts = condition.parts.map((part) => meaningOf(part, rows, isNegated, known));
      // What is negated turns around how its parts are joined.
      return (condition.kind === "and") === isNegated ? eitherOf(parts) : allOf(parts);
    }
  }
}

/** Each of the parts is enough. */
function eitherOf(parts: readonly Meaning[]): Meaning {
  const choices = parts.flatMap((part) => part.choices);
  if (parts.some(({ reach }) => reach === "all") || leavesNothingOut(choices)) return { reach: "all", choices };
  return { reach: parts.every(({ reach }) => reach === "none") ? "none" : "some", choices };
}

/** Each of the parts is needed; of one that says nothing, the others are left. */
function allOf(parts: readonly Meaning[]): Meaning {
  if (parts.some(({ reach }) => reach === "none")) return { reach: "none", choices: [] };
  const saying = parts.filter(({ reach }) => reach !== "all");
  const [only] = saying;
  if (!only) return { reach: "all", choices: [] };
  return saying.length === 1 ? only : { reach: "some", choices: [] };
}

function meaningOfPlain(tokens: readonly SqlToken[], rows: Rows, isNegated: boolean): Meaning {
  const comparison = readComparison(tokens);
  if (columnsIn(tokens).length === 0) {
    const value = constantIn(comparison, rows);
    return { reach: value === null || value !== isNegated ? "all" : "none", choices: [] };
  }
  const choices = literalOf(comparison, isNegated);
  const other = isNegated && comparison.kind === "signs" ? oppositeOf(comparison.operator) : undefined;
  if (other !== undefined) return { reach: reachOfComparison({ ...comparison, operator: other }, rows), choices };
  if (isWord(tokens[0], /^regexp_like$/) && tokens.some((token) => token.kind === "string" && fitsAll.test(token.value)))
    return { reach: isNegated ? "none" : "all", choices };
  const reach = reachOfComparison(comparison, rows);
  return { reach: comparison.isNegated === isNegated ? reach : opposite[reach], choices };
}

/** What a comparison says that looks at no column; null when that is not evident. */
function constantIn({ kind, subject, operator, values }: Comparison, rows: Rows): boolean | null {
  if (kind === "exists") return holdsNothing(values[0] ?? [], rows) ? false : null;
  const [left, right] = [subject, values[0] ?? []].map(valueIn);
  if (kind === "bare") {
    if (left === null && subject.length === 1 && isWord(subject[0], /^null$/)) return false;
    return left === 0 || left === "0" ? false : null;
  }
  if (kind !== "signs" || left === null || right === null || left === undefined || right === undefined) return null;
  if (typeof left === "number" && typeof right === "number") return compareValues(left, operator, right);
  if (typeof left === "string" && typeof right === "string") {
    const isSo = compareValues(left, operator, right);
    return isSo === compareValues(folded(left), operator, folded(right)) ? isSo : null;
  }
  return null;
}

/** As systems compare texts that make no difference of cases, accents and blanks at the end. */
const folded = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trimEnd();

function valueIn(tokens: readonly SqlToken[]): number | string | null {
  const [only] = tokens;
  return tokens.length === 1 && only?.kind === "string" ? only.value : numberIn(tokens);
}

/** Patterns of regular expressions that every text fits. */
const fitsAll = /^(?:\^?(?:\(?\.\*\)?\$?)?|\.)$/;

/** Without what makes it the opposite (`not in`). */
function reachOfComparison({ subject, kind, operator, values }: Comparison, rows: Rows): Reach {
  const [first = [], second = []] = values;
  switch (kind) {
    case "exists":
      if (holdsNothing(first, rows)) return "none";
      return coversTable(first, null, rows) ? "all" : "some";
    case "in":
      if (values.length === 0 || (isStatement(first) && holdsNothing(first, rows))) return "none";
      if (isStatement(first)) return coversTable(first, subject, rows) ? "all" : "some";
      if (isKey(subject) && values.every((value) => Number(numberIn(value) ?? 1) < 1)) return "none";
      return values.some(sameAs(subject, rows)) || hasBoth(values) ? "all" : "some";
    case "between":
      if (isSame(subject, first, rows) && isSame(subject, second, rows)) return "all";
      return isKey(subject) && Number(numberIn(first) ?? Number.NaN) <= 1 && Number(numberIn(second) ?? Number.NaN) >= mostKeys
        ? "all"
        : "some";
    case "like":
      return isSame(subject, first, rows) || isOnlyWildcards(first) ? "all" : "some";
    case "regex":
      return first.some((token) => token.kind === "string" && fitsAll.test(token.value)) && columnsIn(first).length === 0 ? "all" : "some";
    case "null":
      return isNeverNull(subject) ? "none" : "some";
    case "signs":
      return reachOfSigns(subject, operator, first, rows);
    default:
      return "some";
  }
}

const hasBoth = (values: Comparison["values"]) =>
  ["true", "false"].every((word) => values.some(([only, other]) => other === undefined && only?.kind === "word" && only.value === word));

/** The same on both sides; where only one of them says its table, it is that one. Joined with itself, a row is every row. */
function sameAs(a: readonly SqlToken[], rows: Rows): (b: readonly SqlToken[]) => boolean {
  const text = written(a);
  const left = columnIn(a);
  return (b) => {
    if (written(b) === text) return true;
    const right = left && columnIn(b);
    if (!right || left.column !== right.column) return false;
    return left.table === null || right.table === null || rows.isJoinedWithItself;
  };
}

const isSame = (a: readonly SqlToken[], b: readonly SqlToken[], rows: Rows): boolean => sameAs(a, rows)(b);

function reachOfSigns(given: readonly SqlToken[], operator: string, other: readonly SqlToken[], rows: Rows): Reach {
  const [subject, value] = [oneValue(given), oneValue(other)];
  const withEqual = /^(?:=|==|<=|>=|<=>|!<|!>)$/.test(operator);
  if (isSame(subject, value, rows)) return withEqual ? "all" : "none";
  if (comparesStatement(subject, operator, value, rows) || comparesStatement(value, turnedRound(operator), subject, rows)) return "all";
  if (isNeverNegative(subject) && isAtLeast(operator, numberIn(value), 0)) return "all";
  if (isNeverNegative(value) && isAtLeast(turnedRound(operator), numberIn(subject), 0)) return "all";
  if (isKey(subject) && isTrueOfKeys(operator, numberIn(value))) return "all";
  if (isKey(value) && isTrueOfKeys(turnedRound(operator), numberIn(subject))) return "all";
  return operator !== "=" && isShifted(subject, value) ? "all" : "some";
}

/** `(select -1)`, `all (select -1)`: a statement that gives one number is that number. */
function oneValue(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const statement = inside(isWord(tokens[0], /^(?:all|any|some)$/) ? tokens.slice(1) : tokens);
  return isWord(statement[0], /^select$/) && numberIn(statement.slice(1)) !== null ? statement.slice(1) : tokens;
}

/** A statement that does not look at the row, compared with what does not either, or with what is never beyond it. */
function comparesStatement(subject: readonly SqlToken[], operator: string, value: readonly SqlToken[], rows: Rows): boolean {
  const statement = isSign(value[0], /^\($/) ? inside(value) : value;
  if (!isWord(statement[0], /^select$/) || statement.some((token) => isWord(token, /^where$/))) return false;
  return columnsIn(subject).length === 0 || takesExtreme(statement, operator, subject, rows);
}

const turned = new Map([
  ["<", ">"],
  [">", "<"],
  ["<=", ">="],
  [">=", "<="],
]);
const turnedRound = (operator: string): string => turned.get(operator) ?? operator;

/** `a < a + 1`: the same column on both sides, and besides it only numbers that are added. A function may change it. */
function isShifted(a: readonly SqlToken[], b: readonly SqlToken[]): boolean {
  const columns = [columnsIn(a), columnsIn(b)].flat();
  if (columns.length !== 2 || columns[0] !== columns[1]) return false;
  return [...a, ...b].every(({ kind, value }, at, all) => {
    if (kind === "sign") return /^[-+().]$/.test(value);
    return kind === "number" || (kind !== "string" && !isSign(all[at + 1], /^\($/));
  });
}

/** Columns that no row is without, and whose numbers begin at 1. */
const key = /^(?:_?id|uuid|pk|oid|ctid|rowid|_rowid_)$/;
/** Keys of most systems are numbers up to here. */
const mostKeys = 2_147_483_647;

function isKey(tokens: readonly SqlToken[]): boolean {
  return key.test(columnIn(tokens)?.column ?? "");
}

const isAtLeast = (operator: string, value: number | null, least: number): boolean =>
  value !== null && ((operator === ">=" && value <= least) || (/^(?:>|<>)$/.test(operator) && value < least));

function isTrueOfKeys(operator: string, value: number | null): boolean {
  return isAtLeast(operator, value, 1) || (value !== null && /^<=?$/.test(operator) && value >= mostKeys);
}

/** `length(name)`. */
function isNeverNegative([first, next]: readonly SqlToken[]): boolean {
  return (
    isWord(first, /^(?:len|length|char_length|character_length|octet_length|bit_length|datalength|abs|cardinality)$/) &&
    isSign(next, /^\($/)
  );
}

/** A key, and what has a value to take where there is none. */
function isNeverNull(tokens: readonly SqlToken[]): boolean {
  const [first, open, ...rest] = tokens;
  if (isKey(tokens)) return true;
  if (!isWord(first, /^(?:coalesce|ifnull|nvl|isnull|concat|concat_ws)$/) || !isSign(open, /^\($/)) return false;
  return /^concat/.test(first?.value ?? "") || rest.some(({ kind }) => kind === "string" || kind === "number");
}

/** A word that puts texts together, and none that a program has a value for. */
const isWordOfPattern = (word: string) => word === "concat" || (isConstantWord(word) && !word.startsWith("@"));

/** `'%'`, `'%' || '%'`. */
function isOnlyWildcards(tokens: readonly SqlToken[]): boolean {
  const texts = tokens.flatMap(({ kind, value }) => (kind === "string" ? [value] : []));
  if (
    texts.length === 0 ||
    tokens.some(({ kind, value }) => !(kind === "string" || (kind === "word" ? isWordOfPattern(value) : /^[|+(),]$/.test(value))))
  )
    return false;
  const pattern = texts.slice(0, tokens.findIndex((token) => isWord(token, /^escape$/)) > 0 ? -1 : undefined).join("");
  return /^(?:%+|\*+)$/.test(pattern);
}
