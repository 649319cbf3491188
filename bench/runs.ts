import { agentEndpoints } from "../contracts/agents/agents";
import { modelEndpoints } from "../contracts/models/models";
import { runEndpoints } from "../contracts/runs/runs";
import { openEventStream } from "./event-client";
import { type AskedStep, type BenchModelServer, type BenchReply, startBenchModelServer } from "./model-server";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { median, percentile } from "./statistics";
import { type Given, withProduct } from "./with-product";

const limits = { ownMs: 15, besideMs: 1_300, firstWordMs: 5, ratio: 1.2 };
/** Steps at the beginning that do not count, because caches fill. */
const warmUp = 10;
const zones = Intl.supportedValuesOf("timeZone");

/** Measures the agent loop itself: a step, many runs at once, the way of the first word, and the last steps of a long run. */
export const runs = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const lengths = new Map<string, number>();
    const releases = new Map<string, Promise<unknown>>();
    const server = await startBenchModelServer((asked) => replyTo(asked, lengths, releases));
    try {
      const agentId = await prepare(given, server);
      const run = (name: string, steps: number) => {
        lengths.set(name, steps);
        return runToEnd(given, agentId, name);
      };
      // Warms up code and caches; it does not count.
      await run("bench-run-warm", 20);
      return [
        ...(await oneRun(server, run)),
        ...(await longRun(server, run)),
        ...(await sideBySide(server, run)),
        ...(await firstWords({ given, agentId, server, releases })),
      ];
    } finally {
      await server.close();
    }
  });

type Run = (name: string, steps: number) => Promise<void>;

function replyTo(
  { run, step }: AskedStep,
  lengths: ReadonlyMap<string, number>,
  releases: ReadonlyMap<string, Promise<unknown>>,
): BenchReply {
  const waitsFor = releases.get(run);
  if (waitsFor) return { text: "Hello.", waitsFor };
  const thinksMs = run.startsWith("bench-run-beside") ? 1_000 : 0;
  if (step >= (lengths.get(run) ?? 0)) return { text: "Done.", thinksMs };
  // A zone each, because equal calls with equal results end a run.
  return { call: { name: "date_time", arguments: { timezone: zones[step % zones.length] } }, thinksMs };
}

/** Registers the model server and raises the limits of the agent. */
async function prepare({ admin }: Given, { url }: BenchModelServer): Promise<string> {
  const provider = await admin.call(modelEndpoints.create, {
    body: { name: "Bench", kind: "openai_compatible", baseUrl: url, key: null, models: [{ name: "bench-model" }] },
  });
  const [agent] = (await admin.call(agentEndpoints.list)).items;
  if (!agent) throw new Error("the product has no agent");
  const { name, description, disclosureMode } = agent;
  const runLimits = { steps: 500, tokens: 100_000_000, costUsd: null, seconds: 3_600, contextTokens: 10_000_000, concurrentRuns: 1_000 };
  const models = [{ providerId: provider.id, model: "bench-model" }];
  await admin.call(agentEndpoints.update, { params: { id: agent.id }, body: { name, description, disclosureMode, models, runLimits } });
  return agent.id;
}

async function runToEnd({ admin }: Given, agentId: string, name: string): Promise<void> {
  let run = await admin.call(runEndpoints.start, { params: { id: agentId }, body: { message: name, wait: 60 } });
  while (run.status === "running") run = await admin.call(runEndpoints.get, { params: { id: run.id }, query: { wait: 60 } });
  if (run.status !== "succeeded") throw new Error(`${name} ended as ${run.status}: ${run.error}`);
}

async function oneRun(server: BenchModelServer, run: Run): Promise<Line[]> {
  const times: number[] = [];
  for (let round = 0; round < scaled(5, 1); round++) {
    const name = `bench-run-one-${round}`;
    await run(name, 60);
    times.push(...(server.ownTimes.get(name) ?? []).slice(warmUp));
  }
  const p50 = median(times);
  return [
    { measured: "own time a step, 1 run, p50", ours: milliseconds(p50), target: `<= ${limits.ownMs} ms`, isMet: p50 <= limits.ownMs },
    { measured: "own time a step, 1 run, p99", ours: milliseconds(percentile(times, 0.99)) },
  ];
}

async function longRun(server: BenchModelServer, run: Run): Promise<Line[]> {
  const name = "bench-run-long";
  const steps = Math.max(100, Math.min(499, scaled(499)));
  await run(name, steps);
  const times = server.ownTimes.get(name) ?? [];
  const first = median(times.slice(warmUp, warmUp + 50));
  const last = median(times.slice(-50));
  const ratio = last / first;
  return [
    {
      measured: `${steps} steps, own time of the last 50 / of the first 50, p50`,
      ours: `${milliseconds(last)} / ${milliseconds(first)}`,
      ratio,
      target: `<= ${limits.ratio}`,
      isMet: ratio <= limits.ratio,
    },
  ];
}

async function sideBySide(server: BenchModelServer, run: Run): Promise<Line[]> {
  const count = scaled(200, 10);
  const names = Array.from({ length: count }, (_, place) => `bench-run-beside-${place}`);
  await Promise.all(names.map((name) => run(name, 8)));
  const steps = names.flatMap((name) => {
    const arrivals = server.arrivals.get(name) ?? [];
    return arrivals.slice(1).map((at, place) => at - (arrivals[place] ?? at));
  });
  const p50 = median(steps);
  return [
    {
      measured: `${count} runs side by side, model answers after 1 s, a step, p50`,
      ours: `${(p50 / 1_000).toFixed(2)} s`,
      target: `<= ${limits.besideMs / 1_000} s`,
      isMet: p50 <= limits.besideMs,
    },
  ];
}

type FirstWords = { given: Given; agentId: string; server: BenchModelServer; releases: Map<string, Promise<unknown>> };

/** From the model server's write of the first word to the event at a reader that was there before. */
async function firstWords({ given, agentId, server, releases }: FirstWords): Promise<Line[]> {
  const times: number[] = [];
  for (let round = 0; round < scaled(60, 10); round++) {
    const name = `bench-run-word-${round}`;
    const { promise, resolve: release } = Promise.withResolvers<void>();
    releases.set(name, promise);
    const { id } = await given.admin.call(runEndpoints.start, { params: { id: agentId }, body: { message: name } });
    const { promise: told, resolve: tell } = Promise.withResolvers<number>();
    const path = `/api/v1/runs/${id}/events`;
    const client = await openEventStream(given.product.port, {
      path,
      headers: given.asAdmin,
      event: "text.delta",
      onEvent: () => tell(performance.now()),
    });
    // The request must have come, and the reader must have read the rows so far.
    while (!server.arrivals.has(name)) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 20));
    release();
    times.push((await told) - (server.firstWordAt.get(name) ?? Number.NaN));
    client.close();
    await given.admin.call(runEndpoints.get, { params: { id }, query: { wait: 20 } });
  }
  const p50 = median(times.slice(2));
  return [
    {
      measured: "first word, from the provider's write to its event, p50",
      ours: milliseconds(p50),
      target: `<= ${limits.firstWordMs} ms`,
      isMet: p50 <= limits.firstWordMs,
    },
    { measured: "first word, p95", ours: milliseconds(percentile(times.slice(2), 0.95)) },
  ];
}
