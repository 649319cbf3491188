import type { Json } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

export const chartTypes = ["line", "bar", "pie"] as const;

/** A chart of a result: a category for each row, and series with a value for each category. */
export type ResultChart = {
  type: (typeof chartTypes)[number];
  categories: string[];
  series: { name: string; values: (number | null)[] }[];
};

const fence = /^```chart\n([^\n]{1,50000})\n```$/m;
const maxCategories = 100;
const maxSeries = 8;

/**
 * Reads the chart in a result's text, which tools write as a code block `chart`. A tool's text may hold anything, so each part
 * is checked; null when there is no chart, or one that cannot be drawn.
 */
export function readChart(content: string): ResultChart | null {
  const written = fence.exec(content)?.[1];
  const chart = written === undefined ? null : parsed(written);
  if (!isJsonObject(chart)) return null;
  const type = chartTypes.find((known) => known === chart.type);
  const { categories, series } = chart;
  if (!type || !Array.isArray(categories) || !Array.isArray(series)) return null;
  if (categories.length === 0 || categories.length > maxCategories || series.length === 0 || series.length > maxSeries) return null;
  const read = series.map((one) => readSeries(one, categories.length));
  if (read.some((one) => one === null)) return null;
  return { type, categories: categories.map((category) => String(category).slice(0, 100)), series: read.filter((one) => one !== null) };
}

function readSeries(series: Json, count: number): ResultChart["series"][number] | null {
  if (!isJsonObject(series) || typeof series.name !== "string" || !Array.isArray(series.values)) return null;
  if (series.values.length !== count) return null;
  const values = series.values.map((value) => (typeof value === "number" && Number.isFinite(value) ? value : null));
  return { name: series.name.slice(0, 100), values };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
