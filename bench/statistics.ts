/** Milliseconds of each operation, and how many finished a second. */
export type Measured = { p50Ms: number; p99Ms: number; perSecond: number };

export function summarise(times: number[], elapsedMs: number): Measured {
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), perSecond: (times.length / elapsedMs) * 1_000 };
}

/** @param share of the values that are not above the answer, 0 to 1 */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);

/** Slope of the least-squares line through the points, and the half width of its 95 % confidence interval. */
export function fitSlope(points: { x: number; y: number }[]): { slope: number; margin: number } {
  const mean = (of: (point: { x: number; y: number }) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const meanX = mean(({ x }) => x);
  const meanY = mean(({ y }) => y);
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const standardError = Math.sqrt(rest / (points.length - 2) / spread);
  return { slope, margin: studentT95(points.length - 2) * standardError };
}

/** Two-sided 95 % quantile of Student's t, to three digits from 3 degrees of freedom on. */
const studentT95 = (degrees: number): number => 1.96 + 2.372 / degrees + 2.822 / degrees ** 2 + 2.556 / degrees ** 3;
