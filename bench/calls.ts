import path from "node:path";
import { type ChildProgram, startProgram } from "./child-program";
import { interleave, load, type Target } from "./load";
import { isThere, startMcpHub } from "./mcp-anchors";
import { type Line, milliseconds, rate } from "./report";
import { withProduct } from "./with-product";

const manyCallers = 64;
const bareProgram = path.resolve(import.meta.dirname, "bare-insert-server.ts");

/** Cost of one guarded, audited call of a builtin tool over HTTP. */
export const calls = (): Promise<Line[]> =>
  withProduct(async ({ callTarget, databaseUrl, folder }) => {
    const one = await callTarget("date_time", {}, 1);
    const many = await callTarget("date_time", {}, manyCallers);
    // Leaves the audit row that the bare server copies.
    await load(one, 1, 0.1);
    const bare = startProgram([bareProgram, databaseUrl]);
    const hub = await startMcpHub(folder, "stdio");
    try {
      const insert = await bareTarget(bare, many);
      return [
        await latency(one, insert),
        ...(isThere(hub) ? await throughput(many, insert, hub.target) : await throughputAlone(many, insert, hub.missing)),
      ];
    } finally {
      await bare.stop();
      if (isThere(hub)) await hub.stop();
    }
  });

/** The same request, to a server that only keeps a row. */
async function bareTarget(bare: ChildProgram, { requestOf, expects }: Target): Promise<Target> {
  const [, port] = await bare.says(/listening on (\d+)/);
  return { port: Number(port), requestOf, expects };
}

async function latency(ours: Target, bare: Target): Promise<Line> {
  const compared = await interleave({ ours, bare }, { callers: 1 });
  const ratio = compared.ratio("p50Ms", "ours", "bare");
  return {
    measured: "date_time, 1 caller, p50 / bare durable insert",
    ours: milliseconds(compared.ours.p50Ms),
    anchor: milliseconds(compared.bare.p50Ms),
    ratio,
    target: "<= 3",
    isMet: ratio <= 3,
  };
}

async function throughput(ours: Target, bare: Target, hub: Target): Promise<Line[]> {
  const compared = await interleave({ ours, hub, bare }, { callers: manyCallers });
  const ratio = compared.ratio("perSecond", "ours", "hub");
  return [
    {
      measured: `date_time, ${manyCallers} callers, calls/s / mcp-hub REST`,
      ours: rate(compared.ours.perSecond),
      anchor: rate(compared.hub.perSecond),
      ratio,
      target: ">= 10",
      isMet: ratio >= 10,
    },
    ...besideBare(compared.ours.perSecond, compared.bare.perSecond, compared.ratio("perSecond", "ours", "bare")),
  ];
}

async function throughputAlone(ours: Target, bare: Target, missing: string): Promise<Line[]> {
  const compared = await interleave({ ours, bare }, { callers: manyCallers });
  return [
    {
      measured: `date_time, ${manyCallers} callers, calls/s / mcp-hub REST`,
      ours: rate(compared.ours.perSecond),
      anchor: `none: ${missing}`,
      target: ">= 10",
    },
    ...besideBare(compared.ours.perSecond, compared.bare.perSecond, compared.ratio("perSecond", "ours", "bare")),
  ];
}

function besideBare(ours: number, bare: number, ratio: number): Line[] {
  return [
    { measured: `date_time, ${manyCallers} callers, calls/s`, ours: rate(ours), target: ">= 5,000 /s", isMet: ours >= 5_000 },
    { measured: `date_time, ${manyCallers} callers, calls/s / bare durable insert`, ours: rate(ours), anchor: rate(bare), ratio },
  ];
}
