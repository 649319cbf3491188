import type { Json } from "@/contracts/common";
import type { QueryAnswer } from "../capability";
import { isKeyName, type Measures } from "../sql/measures";

/** A chart of a result: one category for each row, one series for each column of numbers. */
export type Chart = { type: "line" | "bar" | "pie"; categories: string[]; series: { name: string; values: (number | null)[] }[] };

const minRows = 2;
const maxRows = 50;
const maxPieces = 8;
const maxBars = 15;
const maxSeries = 5;
const looksLikeDate = /^\d{4}-\d{2}(?:-\d{2}(?:[T ].*)?)?$/;

/** The conditions of a chart, for a model that asked for one in vain. */
export const chartConditions = `A chart needs ${minRows} to ${maxRows} rows (${maxBars} unless over time), a column of times or different short texts, and at most ${maxSeries} columns of numbers that are no keys and that a chart holds exactly.`;

/**
 * Returns a chart where it says something: a line over dates, a pie for few shares, else bars. Without `isAsked` only the
 * measures of groups are drawn, because numbers of single rows are mostly keys.
 */
export function chartOf({ columns, rows, kind, measures, isCut }: QueryAnswer, isAsked: boolean): Chart | null {
  if (kind !== "query" || isCut || rows.length < minRows || rows.length > maxRows) return null;
  const known = measures?.length === columns.length ? measures : null;
  if (!known && !isAsked) return null;
  const category = columns.findIndex(({ type }, index) => !known?.[index] && isCategory(type, rows, index));
  if (category < 0) return null;
  const series = columns.flatMap(({ name, type }, index) => {
    if (type !== "number" || isKeyName(name) || (known && !known[index])) return [];
    const values = exactValues(rows, index, known?.[index] ?? null);
    return values ? [{ name, values, isTotal: known?.[index] === "total" }] : [];
  });
  if (series.length === 0 || series.length > maxSeries) return null;
  const categories = rows.map((row) => String(row[category]));
  const drawn = series.map(({ name, values }) => ({ name, values }));
  if (columns[category]?.type === "time" || categories.every((text) => looksLikeDate.test(text)))
    return { type: "line", categories, series: drawn };
  const [only] = series;
  // Averages and single values are no shares of a whole.
  const isShare = series.length === 1 && only?.isTotal === true && only.values.every((value) => value !== null && value >= 0);
  if (isShare && rows.length <= maxPieces) return { type: "pie", categories, series: drawn };
  return rows.length <= maxBars ? { type: "bar", categories, series: drawn } : null;
}

/** Times or short texts that differ from row to row. */
function isCategory(type: string, rows: QueryAnswer["rows"], index: number): boolean {
  if (type !== "time" && type !== "text") return false;
  const cells = rows.map((row) => row[index]);
  return cells.every((cell) => typeof cell === "string" && cell.length <= 60) && new Set(cells).size === cells.length;
}

/** Returns a column's numbers; null when one of them would change in a chart, or when fewer than two are there. */
function exactValues(rows: QueryAnswer["rows"], index: number, measure: Measures[number]): (number | null)[] | null {
  const cells = rows.map((row) => row[index] ?? null);
  const values = cells.map((cell) => (cell === null ? null : exactNumber(cell, measure)));
  if (values.some((value, at) => value === null && cells[at] !== null)) return null;
  return values.filter((value) => value !== null).length < minRows ? null : values;
}

/** Returns a number as it is written; null when JavaScript's number would be another one. */
function exactNumber(cell: Json, measure: Measures[number]): number | null {
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== "string" || !/^-?\d+(?:\.\d+)?$/.test(cell)) return null;
  const number = Number(cell);
  if (plain(cell) === plain(String(number))) return number;
  // The database itself rounded the long fraction of an average.
  const isRounded = measure === "statistic" && /\.\d{12,}$/.test(cell);
  return isRounded ? Number(number.toPrecision(12)) : null;
}

const plain = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace(/^-0$/, "0");
