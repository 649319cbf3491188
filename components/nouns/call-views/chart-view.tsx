"use client";

import "@mantine/charts/styles.layer.css";
import { BarChart, LineChart, PieChart } from "@mantine/charts";
import { ColorSwatch } from "@mantine/core";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./chart-view.module.css";
import type { ResultChart } from "./read-chart";

/** Apart in lightness as well as in hue, so that series stay apart without colour. */
const colours = ["blue.6", "orange.5", "teal.7", "grape.4", "yellow.7", "cyan.4", "red.7", "lime.5"];
const height = 240;

/** Draws the chart of a result. The same numbers stand in the result's table, which screen readers get. */
export default function ChartView({ chart }: { chart: ResultChart }) {
  const series = chart.series.map(({ name }, index) => ({ name: spellHidden(name), color: colours[index % colours.length] ?? "blue.6" }));
  if (chart.type === "pie") {
    const values = chart.series[0]?.values ?? [];
    const data = chart.categories.map((name, index) => ({
      name: spellHidden(name),
      value: values[index] ?? 0,
      color: colours[index % colours.length] ?? "blue.6",
    }));
    return (
      <div className={classes.pie}>
        <PieChart h={height} data={data} withLabels withTooltip labelsType="percent" pieProps={{ isAnimationActive: false }} />
        <ul className={classes.legend}>
          {data.map(({ name, value, color }) => (
            <li key={name}>
              <ColorSwatch color={`var(--mantine-color-${color.replace(".", "-")})`} size={10} withShadow={false} />
              <span>
                <RevealedText text={name} />
              </span>
              <span data-numeric>{value.toLocaleString("en")}</span>
            </li>
          ))}
        </ul>
      </div>
    );
  }
  const data = chart.categories.map((category, index) => ({
    category: spellHidden(category),
    ...Object.fromEntries(chart.series.map(({ name, values }) => [spellHidden(name), values[index] ?? null])),
  }));
  const shared = { h: height, data, dataKey: "category", series, withLegend: series.length > 1, tooltipAnimationDuration: 0 };
  return chart.type === "line" ? (
    <LineChart {...shared} curveType="linear" connectNulls={false} lineProps={{ isAnimationActive: false }} />
  ) : (
    <BarChart {...shared} maxBarWidth={40} barProps={{ isAnimationActive: false }} />
  );
}
