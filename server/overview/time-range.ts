import type { OverviewRange } from "@/contracts/operations/overview";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const shapes: Record<OverviewRange, { bucketSeconds: number; buckets: number }> = {
  "1h": { bucketSeconds: 2 * minute, buckets: 30 },
  "24h": { bucketSeconds: hour, buckets: 24 },
  "7d": { bucketSeconds: 6 * hour, buckets: 28 },
  "30d": { bucketSeconds: day, buckets: 30 },
};

/** A range of whole buckets, in milliseconds since 1970; `to` is exclusive. */
export type TimeRange = { from: number; to: number; bucketSeconds: number };

/** Returns the whole buckets of a range; the last bucket contains `now`. */
export function toTimeRange(range: OverviewRange, now: number): TimeRange {
  const { bucketSeconds, buckets } = shapes[range];
  const bucketMs = bucketSeconds * 1_000;
  const to = (Math.floor(now / bucketMs) + 1) * bucketMs;
  return { from: to - buckets * bucketMs, to, bucketSeconds };
}
