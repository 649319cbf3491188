"use client";

import "@mantine/charts/styles.layer.css";
import { BarChart } from "@mantine/charts";
import { outcomeGroups } from "@/contracts/browser/calls/call-outcomes";
import type { Overview } from "@/contracts/operations/overview";
import { bucketWords } from "./bucket-words";
import { countsByOutcome, outcomesIn, outcomeWords } from "./outcome-series";

type CallsChartProps = {
  overview: Overview;
  /** Opens the turns of one bucket. */
  onOpen: (from: string, to: string) => void;
};

/** Calls by outcome over time; a press on a bar opens the bucket's turns. */
export default function CallsChart({ overview, onOpen }: CallsChartProps) {
  const { calls, bucketSeconds } = overview;
  const data = calls.buckets.map(({ at, byStatus }) => ({ at, time: bucketWords(at, bucketSeconds), ...countsByOutcome(byStatus) }));
  const occurred = new Set(outcomesIn(calls.byStatus).map(({ outcome }) => outcome));
  const series = outcomeGroups
    .filter((outcome) => occurred.has(outcome))
    .map((outcome) => ({ name: outcome, label: outcomeWords[outcome].word, color: outcomeWords[outcome].colour }));
  const openBucket = (place: number) => {
    const at = data[place]?.at;
    if (at) onOpen(at, new Date(Date.parse(at) + bucketSeconds * 1_000).toISOString());
  };
  return (
    <BarChart
      h={200}
      data={data}
      dataKey="time"
      type="stacked"
      series={series}
      maxBarWidth={28}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      xAxisProps={{ minTickGap: 24, interval: "equidistantPreserveStart" }}
      tooltipAnimationDuration={0}
      barProps={{ isAnimationActive: false }}
      barChartProps={{
        accessibilityLayer: true,
        onClick: ({ activeTooltipIndex }) => {
          if (activeTooltipIndex !== undefined && activeTooltipIndex !== null) openBucket(Number(activeTooltipIndex));
        },
        style: { cursor: "pointer" },
      }}
    />
  );
}
