/** Milliseconds of each operation, and how many finished a second. */
export type Measured = { p50Ms: number; p99Ms: number; perSecond: number };

/** Runs an operation `count` times by `callers` callers, each of which starts its next one when its last one ended. */
export async function measure(operation: () => Promise<void>, { callers, count }: { callers: number; count: number }): Promise<Measured> {
  const times: number[] = [];
  const started = performance.now();
  let left = count;
  const caller = async () => {
    while (left-- > 0) {
      const before = performance.now();
      await operation();
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return summarise(times, performance.now() - started);
}

export function summarise(times: number[], elapsedMs: number): Measured {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), perSecond: (times.length / elapsedMs) * 1_000 };
}

/** Measures two operations in alternating rounds, so that whatever else the machine does hits both. */
export async function interleave(
  ours: () => Promise<void>,
  anchor: () => Promise<void>,
  { callers, count, rounds = 5 }: { callers: number; count: number; rounds?: number },
): Promise<{ ours: Measured; anchor: Measured }> {
  const collected = { ours: [] as Measured[], anchor: [] as Measured[] };
  for (let round = 0; round < rounds; round++) {
    collected.anchor.push(await measure(anchor, { callers, count }));
    collected.ours.push(await measure(ours, { callers, count }));
  }
  return { ours: median(collected.ours), anchor: median(collected.anchor) };
}

function median(all: Measured[]): Measured {
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  return {
    p50Ms: middle(all.map(({ p50Ms }) => p50Ms)),
    p99Ms: middle(all.map(({ p99Ms }) => p99Ms)),
    perSecond: middle(all.map(({ perSecond }) => perSecond)),
  };
}
