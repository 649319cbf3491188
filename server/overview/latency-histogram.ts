/** Growth of the buckets: each is 10 % wider than the one before, so a bucket's middle is at most 5 % away from its values. */
export const bucketGrowth = 1.1;

/**
 * Computes the value below which a share of the counted values lies.
 * @param histogram bucket number → values in it; bucket n holds milliseconds from 1.1^n to 1.1^(n+1)
 */
export function computeQuantile(histogram: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...histogram.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let passed = 0;
  for (const [bucket, count] of [...histogram].toSorted(([a], [b]) => a - b)) {
    passed += count;
    if (passed >= share * total) return middleOf(bucket);
  }
  return null;
}

function middleOf(bucket: number): number {
  return Math.round(bucketGrowth ** (bucket + 0.5) * 10) / 10;
}
