import { isSign, isWord, signsOf, splitAt, unwrapped } from "./condition-tree";
import type { SqlToken } from "./read-sql";

/** A comparison taken apart. */
export type Comparison = {
  /** What is compared; empty for `exists (...)`. */
  subject: readonly SqlToken[];
  kind: "bare" | "null" | "signs" | "like" | "regex" | "in" | "between" | "exists" | "other";
  /** For `signs`: `=`, `<>`, `<` and so on. */
  operator: string;
  /** What it is compared with; of a BETWEEN and of a list, each of the parts. */
  values: readonly (readonly SqlToken[])[];
  /** `not in`, `is not null`, `not like`. */
  isNegated: boolean;
};

const kinds: ReadonlyMap<string, Comparison["kind"]> = new Map([
  ...["like", "ilike", "similar", "glob"].map((word) => [word, "like"] as const),
  ...["regexp", "rlike", "~"].map((word) => [word, "regex"] as const),
  ["in", "in"],
  ["between", "between"],
  ["is", "null"],
  ["isnull", "null"],
  ["notnull", "null"],
]);

const comparing = new Set(["=", "<", ">", "!", "~"]);

const nothing: Comparison = { subject: [], kind: "bare", operator: "", values: [], isNegated: false };

/** Takes a comparison apart at its first operator outside of parentheses. */
export function readComparison(tokens: readonly SqlToken[]): Comparison {
  const base = tokens[0]?.depth ?? 0;
  if (isWord(tokens[0], /^exists$/)) return { ...nothing, kind: "exists", values: [inside(tokens.slice(1))] };
  const at = tokens.findIndex(
    ({ kind, value, depth }, index) =>
      index > 0 && depth === base && (kind === "sign" ? comparing.has(value) : kind === "word" && kinds.has(value)),
  );
  const found = tokens[at];
  if (!found) return { ...nothing, subject: tokens };
  const isNegated = isWord(tokens[at - 1], /^not$/);
  const subject = tokens.slice(0, isNegated ? at - 1 : at);
  if (isSign(found, /^[=<>!]$/)) return readSigns(tokens, at, subject);
  const kind = kinds.get(found.value) ?? "other";
  const rest = tokens.slice(at + 1);
  if (kind === "null") return readIs(found, rest, subject);
  if (kind === "between") return { ...nothing, kind, subject, isNegated, values: splitAt(rest, (token) => isWord(token, /^and$/)) };
  if (kind === "in") return { ...nothing, kind, subject, isNegated, values: membersOf(rest) };
  return { ...nothing, kind, subject, isNegated, values: [rest] };
}

function readSigns(tokens: readonly SqlToken[], at: number, subject: readonly SqlToken[]): Comparison {
  const length = tokens.slice(at).findIndex((token) => !isSign(token, /^[=<>!~]$/));
  const operator = signsOf(tokens.slice(at, length < 0 ? undefined : at + length)).replace("!=", "<>");
  const rest = length < 0 ? [] : tokens.slice(at + length);
  const [quantifier, open, next] = rest;
  // `= any (select ...)` is IN, and `<> all (select ...)` is NOT IN.
  if (isSign(open, /^\($/) && isWord(next, /^(?:select|array|with|table)$/)) {
    const isIn = operator === "=" && isWord(quantifier, /^(?:any|some)$/);
    if (isIn || (operator === "<>" && isWord(quantifier, /^all$/))) {
      return { subject, kind: "in", operator: "", values: membersOf(rest.slice(1)), isNegated: !isIn };
    }
  }
  return { subject, kind: operator.includes("~") ? "other" : "signs", operator, values: [rest], isNegated: false };
}

function readIs(found: SqlToken, rest: readonly SqlToken[], subject: readonly SqlToken[]): Comparison {
  const isNegated = found.value === "notnull" || isWord(rest[0], /^not$/);
  const value = isWord(rest[0], /^not$/) ? rest.slice(1) : rest;
  if (isWord(value[0], /^distinct$/)) {
    return { subject, kind: "signs", operator: isNegated ? "=" : "<>", values: [value.slice(2)], isNegated: false };
  }
  if (value.length > 0 && !isWord(value[0], /^(?:null|unknown)$/)) {
    return { subject, kind: "signs", operator: isNegated ? "<>" : "=", values: [value], isNegated: false };
  }
  return { subject, kind: "null", operator: "", values: [], isNegated };
}

/** The members of a list in parentheses; a statement in there is one member. */
function membersOf(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const members = inside(tokens);
  if (isWord(members[0], /^(?:select|with|table)$/)) return [members];
  return members.length === 0 ? [] : splitAt(members, (token) => isSign(token, /^,$/));
}

/** What stands in parentheses, however many: `((select 1))`; of `array[1, 2]`, what stands in its brackets. */
export function inside(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const opens: number[] = [];
  let from = 0;
  for (; from < tokens.length; from += 1) {
    const token = tokens[from];
    if (isSign(token, /^\($/)) opens.push(token?.depth ?? 0);
    else if (!isWord(token, /^array$/)) break;
  }
  let until = tokens.length;
  while (until > from && tokens.length - until < opens.length && isSign(tokens[until - 1], /^\)$/)) until -= 1;
  const closes = tokens.length - until;
  // What is closed before the end holds only a part.
  let lowest = Number.POSITIVE_INFINITY;
  for (const { depth } of tokens.slice(from, until)) lowest = Math.min(lowest, depth);
  const peeled = opens.slice(0, closes).filter((depth) => depth < lowest).length;
  let start = 0;
  for (let left = peeled; left > 0 || isWord(tokens[start], /^array$/); start += 1) if (isSign(tokens[start], /^\($/)) left -= 1;
  const inner = start === 0 && peeled === 0 ? tokens : tokens.slice(start, tokens.length - peeled);
  return isSign(inner[0], /^\[$/) && isSign(inner.at(-1), /^\]$/) ? inner.slice(1, -1) : inner;
}

/** Tokens as one text, with a mark before each that is a text in SQL; parentheses around all of it are left out. */
export function written(tokens: readonly SqlToken[]): string {
  let text = "";
  for (const { kind, value } of unwrapped(tokens) ?? tokens) {
    text += kind === "string" ? ` '${value.toLowerCase()}` : kind === "name" ? ` ${value.toLowerCase()}` : ` ${value}`;
  }
  return text;
}

function isName(token: SqlToken | undefined): boolean {
  return token?.kind === "name" || (token?.kind === "word" && !isConstantWord(token.value));
}

/** The column that tokens are, and nothing else, without what stands before its last point; null for everything else. */
export function columnIn(tokens: readonly SqlToken[]): { table: string | null; column: string } | null {
  const names = unwrapped(tokens) ?? tokens;
  const [first, point, second, ...others] = names;
  if (!first || !isName(first) || others.length > 0) return null;
  if (!point) return { table: null, column: first.value.toLowerCase() };
  return isSign(point, /^\.$/) && second && isName(second)
    ? { table: first.value.toLowerCase(), column: second.value.toLowerCase() }
    : null;
}

/** Words of a condition that name no column. */
const constantWords = new Set(
  "true false not and or is like ilike in between null exists any all some unknown distinct from escape similar to regexp rlike glob xor case when then else end select as array current_date current_time current_timestamp current_user session_user localtime localtimestamp sysdate systimestamp interval collate binary cast".split(
    " ",
  ),
);

/** Whether a word of a condition names no column; `@x` is a variable. */
export const isConstantWord = (word: string): boolean => constantWords.has(word) || word.startsWith("@");

/** Words that name a column: no word of SQL, no function, no type and no placeholder. */
export function columnsIn(tokens: readonly SqlToken[]): string[] {
  const columns: string[] = [];
  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind !== "name" && (kind !== "word" || isConstantWord(value))) continue;
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (next && (next.kind === "string" || (next.kind === "sign" && (next.value === "(" || next.value === ".")))) continue;
    if (before && (before.value === ":" || before.value === "?" || (before.kind === "word" && before.value === "as"))) continue;
    columns.push(value.toLowerCase());
  }
  return columns;
}
