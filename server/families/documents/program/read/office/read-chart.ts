import { tableRow } from "../flow-text.ts";
import type { ZipContainer } from "../zip-container.ts";
import { childOf, childrenOf, descendants, readTree, textOfAll, type XmlNode } from "./xml-tree.ts";

const maxPoints = 2_000;

/** Writes the stored values of a chart as a Markdown table: one line a category, one column a series. */
export async function readChart(zip: ZipContainer, part: string): Promise<string[]> {
  const chart = descendants(await readTree(zip, part), "c:chart")[0];
  const title = titleOf(childOf(chart, "c:title"));
  const plot = childOf(chart, "c:plotArea");
  const series = descendants(plot, "c:ser").map((node) => ({
    name: pointsOf(childOf(node, "c:tx")).join(" ") || textOfAll(childOf(node, "c:tx"), "c:v") || "Value",
    categories: pointsOf(childOf(node, "c:cat") ?? childOf(node, "c:xVal")),
    values: pointsOf(childOf(node, "c:val") ?? childOf(node, "c:yVal")),
    sizes: pointsOf(childOf(node, "c:bubbleSize")),
  }));
  const axes = (plot?.children ?? [])
    .filter(({ name }) => /^c:(cat|val|date|ser)Ax$/.test(name))
    .map((axis) => titleOf(childOf(axis, "c:title")))
    .filter((text) => text !== "");
  const kinds = (plot?.children ?? []).map(({ name }) => /^c:(\w+)Chart$/.exec(name)?.[1]).filter((kind) => kind !== undefined);
  const lines = [`[Chart${title ? `: ${title}` : ""}${kinds.length > 0 ? ` (${kinds.join(", ")})` : ""}]`];
  if (axes.length > 0) lines.push(`Axes: ${axes.join("; ")}`);
  const first = series[0];
  if (!first) return lines;
  // Each scatter series has its own places on the axis, so they share no first column.
  const shared = series.every(({ categories }) => categories.join("\0") === first.categories.join("\0") || categories.length === 0);
  if (shared) lines.push(...table(first.categories, series));
  else for (const one of series) lines.push(...table(one.categories, [one]));
  return lines;
}

type Series = { name: string; values: string[]; sizes: string[] };

function table(categories: readonly string[], series: readonly Series[]): string[] {
  const columns = series.flatMap(({ name, values, sizes }) => [
    { name, values },
    ...(sizes.length > 0 ? [{ name: `${name} (size)`, values: sizes }] : []),
  ]);
  const count = Math.min(maxPoints, Math.max(categories.length, ...columns.map(({ values }) => values.length)));
  const rows = Array.from({ length: count }, (_, at) => [
    categories[at] ?? String(at + 1),
    ...columns.map(({ values }) => values[at] ?? ""),
  ]);
  return ["", tableRow(["", ...columns.map(({ name }) => name)]), `|${" --- |".repeat(columns.length + 1)}`, ...rows.map(tableRow), ""];
}

/** Returns the cached points of a reference by their index. Categories of several levels are joined. */
function pointsOf(node: XmlNode | undefined): string[] {
  const levels = descendants(node, "c:lvl");
  if (levels.length > 1) {
    // The innermost level comes first; an outer point holds until the next.
    const inner = pointsIn(levels[0]);
    return inner.map((text, at) =>
      [
        ...levels
          .slice(1)
          .map((level) => lastUntil(pointsIn(level), at))
          .reverse(),
        text,
      ].join(" "),
    );
  }
  const cache = descendants(node, "c:strCache")[0] ?? descendants(node, "c:numCache")[0] ?? levels[0];
  return pointsIn(cache ?? descendants(node, "c:strLit")[0] ?? descendants(node, "c:numLit")[0]);
}

const lastUntil = (points: readonly string[], at: number): string => {
  return points.slice(0, at + 1).findLast((point) => point !== "") ?? "";
};

function pointsIn(node: XmlNode | undefined): string[] {
  const points: string[] = [];
  for (const point of childrenOf(node, "c:pt")) {
    const index = Number(point.attributes.idx);
    if (index >= 0 && index < maxPoints) points[index] = childOf(point, "c:v")?.text ?? "";
  }
  return Array.from(points, (text) => text ?? "");
}

function titleOf(title: XmlNode | undefined): string {
  const rich = descendants(title, "a:p").map((paragraph) => textOfAll(paragraph, "a:t"));
  return (rich.length > 0 ? rich.join(" ") : pointsOf(title).join(" ")).replaceAll(/\s+/g, " ").trim();
}
