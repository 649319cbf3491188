import { type Comparison, written } from "./comparison";
import { numberIn } from "./condition-tree";
import type { SqlToken } from "./read-sql";

/** One choice of several, in a form in which its opposite is known. */
export type Literal = {
  /** What is asked; the opposite of a choice asks the same and is not so. */
  asks: string;
  isSo: boolean;
  /** Where it is a comparison with a number or a text: the values that it takes. */
  values: { subject: string; ranges: readonly Range[] } | null;
};

type Bound = number | string;
/** Open at both ends unless `includes` says otherwise; null: without an end. */
type Range = { from: Bound | null; to: Bound | null; includes: boolean };

/** Whether choices leave nothing out: one of them is the opposite of another, or together they take every value. */
export function leavesNothingOut(literals: readonly Literal[]): boolean {
  const seen = new Map<string, boolean>();
  const bySubject = new Map<string, Range[]>();
  for (const { asks, isSo, values } of literals) {
    if (seen.get(asks) === !isSo) return true;
    seen.set(asks, isSo);
    if (!values) continue;
    const known = bySubject.get(values.subject);
    if (known) known.push(...values.ranges);
    else bySubject.set(values.subject, [...values.ranges]);
  }
  return [...bySubject.values()].some((ranges) => ranges.length > 1 && coversLine(ranges));
}

/** A comparison as a choice; none where nothing is known of its opposite. */
export function literalOf({ subject, kind, operator, values, isNegated }: Comparison, isTurned: boolean): readonly Literal[] {
  const isSo = isNegated === isTurned;
  const about = written(subject);
  const asked = values.map((value) => written(value)).join(" , ");
  if (kind !== "signs") return [{ asks: `${about} ${kind} ${asked}`, isSo, values: null }];
  const sign = isTurned ? opposites.get(operator) : operator.replace("==", "=");
  const base = sign === undefined ? undefined : positive.get(sign);
  if (sign === undefined || base === undefined) return [];
  const value = boundIn(values[0] ?? []);
  const ranges = value === null ? [] : rangesOf(sign, value);
  return [
    {
      asks: `${about} ${base} ${asked}`,
      isSo: base === sign,
      values: value === null ? null : { subject: `${typeof value} ${about}`, ranges },
    },
  ];
}

const opposites = new Map([
  ["=", "<>"],
  ["==", "<>"],
  ["<>", "="],
  ["<", ">="],
  [">=", "<"],
  [">", "<="],
  ["<=", ">"],
]);
/** The sign that says the opposite; undefined for what is no such sign. */
export const oppositeOf = (operator: string): string | undefined => opposites.get(operator);

/** Of two opposite signs, the one that both are asked by. */
const positive = new Map([
  ["=", "="],
  ["<>", "="],
  ["<", "<"],
  [">=", "<"],
  [">", ">"],
  ["<=", ">"],
]);

function boundIn(tokens: readonly SqlToken[]): Bound | null {
  const [only] = tokens;
  return tokens.length === 1 && only?.kind === "string" ? only.value : numberIn(tokens);
}

function rangesOf(sign: string, value: Bound): Range[] {
  const below = { from: null, to: value };
  const above = { from: value, to: null };
  switch (sign) {
    case "<":
    case "<=":
      return [{ ...below, includes: sign === "<=" }];
    case ">":
    case ">=":
      return [{ ...above, includes: sign === ">=" }];
    case "<>":
      return [
        { ...below, includes: false },
        { ...above, includes: false },
      ];
    default:
      return [{ from: value, to: value, includes: true }];
  }
}

/** Whether ranges of one kind of values leave none out, of numbers no whole one. */
function coversLine(ranges: readonly Range[]): boolean {
  const starts = ranges.filter(({ from, to }) => from === null && to !== null);
  const ends = ranges.filter(({ from, to }) => to === null && from !== null);
  const [last] = starts.toSorted((a, b) => compare(b.to, a.to) || Number(b.includes) - Number(a.includes));
  const [first] = ends.toSorted((a, b) => compare(a.from, b.from) || Number(b.includes) - Number(a.includes));
  if (!last || !first || last.to === null || first.from === null) return false;
  const order = compare(first.from, last.to);
  if (order !== 0) return order < 0 || isStep(last, first);
  return last.includes || first.includes || ranges.some(({ from, to }) => from === last.to && to === last.to);
}

/** `a <= 4 or a >= 5`. */
function isStep(last: Range, first: Range): boolean {
  if (typeof last.to !== "number" || typeof first.from !== "number") return false;
  const next = last.includes ? Math.floor(last.to) + 1 : Math.ceil(last.to);
  const before = first.includes ? Math.ceil(first.from) - 1 : Math.floor(first.from);
  return next > before;
}

function compare(a: Bound | null, b: Bound | null): number {
  return a === b ? 0 : a !== null && b !== null && a < b ? -1 : 1;
}
