import { expect, test } from "vitest";
import { bucketGrowth, computeQuantile } from "./latency-histogram";

const histogramOf = (values: readonly number[]) => {
  const histogram = new Map<number, number>();
  for (const value of values) {
    const bucket = Math.floor(Math.log(Math.max(value, 1)) / Math.log(bucketGrowth));
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
  }
  return histogram;
};

test("quantiles of a histogram lie within 5 % of the exact ones", () => {
  const values = Array.from({ length: 1_000 }, (_, index) => (index + 1) * 7);
  for (const share of [0.5, 0.95, 1]) {
    const exact = values[Math.ceil(share * values.length) - 1] ?? 0;
    expect(Math.abs((computeQuantile(histogramOf(values), share) ?? 0) / exact - 1)).toBeLessThan(0.05);
  }
});

test("nothing counted has no quantile", () => {
  expect(computeQuantile(new Map(), 0.5)).toBeNull();
});
