import { Connection } from "./connection";
import type { Target } from "./load";
import type { Line } from "./report";
import { scaled } from "./scale";
import { fitSlope } from "./statistics";
import { withProduct } from "./with-product";

const callers = 16;
const samples = 25;
/** A tenth of all calls: until then caches fill and code is compiled. */
const warmUpSamples = 5;
/** One megabyte over fifty thousand calls. */
const limitKilobytes = 20;

/** Whether the heap grows with the number of calls: the slope of what is left after collecting garbage. */
export const growth = (): Promise<Line[]> =>
  withProduct(async ({ callTarget, product }) => {
    const count = scaled(50_000, 1_000);
    const step = Math.ceil(count / samples);
    const target = await callTarget("date_time", {}, callers);
    const inspector = await product.inspector();
    const points: { x: number; y: number }[] = [];
    try {
      for (let sample = -warmUpSamples; sample < samples; sample++) {
        await callTimes(target, step);
        const { heapUsed } = await inspector.memory();
        if (sample >= 0) points.push({ x: ((sample + 1) * step) / 1_000, y: heapUsed / 1_024 });
      }
    } finally {
      inspector.close();
    }
    const { slope, margin } = fitSlope(points);
    const what = `${(samples * step).toLocaleString("en")} calls`;
    return [
      {
        measured: `${what}, heap after GC, growth per 1,000 calls (95 % confidence)`,
        ours: `${slope.toFixed(1)} ± ${margin.toFixed(1)} kB`,
        target: `at most ${limitKilobytes} kB`,
        isMet: slope + margin <= limitKilobytes,
      },
      { measured: `${what}, heap after GC, first to last`, ours: `${megabytesOf(points.at(0))} to ${megabytesOf(points.at(-1))}` },
    ];
  });

const megabytesOf = (point: { y: number } | undefined) => `${((point?.y ?? Number.NaN) / 1_024).toFixed(1)} MB`;

async function callTimes({ port, requestOf, expects }: Target, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      const connection = await Connection.open(port);
      while (left-- > 0) {
        const { status, body } = await connection.send(requestOf(caller));
        if (status !== 200 || !body.includes(expects)) throw new Error(`a call failed (${status}): ${body}`);
      }
      connection.close();
    }),
  );
}
