import type { Json } from "@/contracts/common";
import type { ReadResult, ResultColumn } from "../engines/engine";

/** A chart of a result: one category for each row, one series for each column of numbers. */
export type Chart = { type: "line" | "bar" | "pie"; categories: string[]; series: { name: string; values: (number | null)[] }[] };

const fewestRows = 2;
const mostRows = 50;
const mostPieces = 8;
const mostBars = 15;
const mostSeries = 5;
const looksLikeDate = /^\d{4}-\d{2}(?:-\d{2}(?:[T ].*)?)?$/;

/** Returns a chart for 2 to 50 rows with a category and numbers: a line over dates, a pie for few shares, else bars. */
export function chartOf({ columns, rows }: ReadResult): Chart | null {
  if (rows.length < fewestRows || rows.length > mostRows) return null;
  const category = columns.findIndex((column, index) => isCategory(column, index, rows));
  const metrics = columns.flatMap(({ name, type }, index) => (type === "number" && index !== category ? [{ name, index }] : []));
  if (category < 0 || metrics.length === 0 || metrics.length > mostSeries) return null;
  const categories = rows.map((row) => String(row[category] ?? ""));
  const series = metrics.map(({ name, index }) => ({ name, values: rows.map((row) => toNumber(row[index])) }));
  if (columns[category]?.type === "time" || categories.every((text) => looksLikeDate.test(text)))
    return { type: "line", categories, series };
  const isShare = series.length === 1 && series[0]?.values.every((value) => value !== null && value >= 0);
  if (isShare && rows.length <= mostPieces) return { type: "pie", categories, series };
  return rows.length <= mostBars ? { type: "bar", categories, series } : null;
}

function isCategory({ type }: ResultColumn, index: number, rows: ReadResult["rows"]): boolean {
  if (type === "time") return true;
  return type === "text" && rows.every((row) => typeof row[index] === "string" && String(row[index]).length <= 60);
}

function toNumber(value: Json | undefined): number | null {
  if (value === null || value === undefined) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
