import { expect, test } from "vitest";
import { readChart } from "./read-chart";

const written = (chart: unknown) => `| a | b |\n\n\`\`\`chart\n${typeof chart === "string" ? chart : JSON.stringify(chart)}\n\`\`\``;
const chart = { type: "bar", categories: ["de", "nl"], series: [{ name: "total", values: [1.5, null] }] };

test("a chart is read from the text of a result", () => {
  expect(readChart(written(chart))).toEqual(chart);
});

test.each([
  ["text without a chart", "| a | b |"],
  ["broken JSON", written("{")],
  ["an unknown type", written({ ...chart, type: "radar" })],
  ["no categories", written({ ...chart, categories: [], series: [{ name: "x", values: [] }] })],
  ["a series of another length", written({ ...chart, series: [{ name: "total", values: [1] }] })],
  ["a series without a name", written({ ...chart, series: [{ values: [1, 2] }] })],
  ["too many categories", written({ ...chart, categories: Array(101).fill("x"), series: [{ name: "x", values: Array(101).fill(1) }] })],
])("nothing is drawn from %s", (_case, content) => {
  expect(readChart(content)).toBeNull();
});

test("a value that is no number leaves a gap", () => {
  const odd = { ...chart, series: [{ name: "total", values: ["7", 2] }] };
  expect(readChart(written(odd))?.series[0]?.values).toEqual([null, 2]);
});
