import path from "node:path";
import { hookTarget } from "./coding-agents";
import type { Profile } from "./inspector";
import { load, type Target } from "./load";
import { startStub } from "./mcp-anchors";
import { connectStub } from "./mcp-calls";
import { echoOf, mcpTarget } from "./mcp-endpoint";
import { milliseconds, rate } from "./report";
import { roundSeconds } from "./scale";
import { type Given, withProduct } from "./with-product";

const callers = Number(process.env.BENCH_CALLERS ?? 64);
const shown = 30;

/** Where the server spends its time under load. Not a claim, but the way to one. */
export const profile = (): Promise<string> =>
  withProduct(async (given) => report(given, "date_time", await given.callTarget("date_time", {}, callers)));

/** The same of a call through /mcp to an upstream over HTTP. */
export const profileMcp = (): Promise<string> =>
  withProduct(async (given) => {
    const stub = await startStub();
    try {
      await connectStub(given.admin, { alias: "remote", transport: "streamable_http", url: stub.url });
      return await report(given, "an upstream over HTTP through /mcp", mcpTarget(given, "2025-11-25", echoOf("remote")));
    } finally {
      await stub.stop();
    }
  });

/** The same of an allowed call of a coding agent. */
export const profileCodingAgents = (): Promise<string> =>
  withProduct(async (given) => report(given, "an allowed call of a coding agent", await hookTarget(given)));

async function report({ product }: Given, what: string, target: Target): Promise<string> {
  await load(target, callers, roundSeconds * 3);
  const inspector = await product.inspector();
  const cpuBefore = await inspector.cpuMs();
  const began = performance.now();
  const { perSecond } = await load(target, callers, roundSeconds);
  const count = perSecond * ((performance.now() - began) / 1_000);
  const cpuPerCall = ((await inspector.cpuMs()) - cpuBefore) / count;
  const taken = await inspector.profile(() => load(target, callers, roundSeconds * 2));
  inspector.close();
  const { own, whole } = shares(taken);
  return [
    `${what}, ${callers} callers: ${rate(perSecond)}, ${milliseconds(cpuPerCall)} of the server's processor time a call`,
    "own time:",
    ...list(own),
    "with what they call, functions of the product only:",
    ...list(whole.filter(({ name }) => / {2}(dist|server|app)\//.test(name))),
  ].join("\n");
}

type Share = { name: string; share: number };

const list = (all: Share[]) => all.slice(0, shown).map(({ name, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${name}`);

/** Share of the busy time of each function: by itself, and with its callees. A recursion counts once. */
function shares({ nodes, samples, timeDeltas }: Profile): { own: Share[]; whole: Share[] } {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, describeFrame(callFrame)]));
  const parents = new Map(nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)));
  const own = new Map<string, number>();
  const whole = new Map<string, number>();
  let busy = 0;
  for (const [place, id] of samples.entries()) {
    const name = names.get(id) ?? "?";
    if (name === "(idle)") continue;
    const time = timeDeltas[place] ?? 0;
    busy += time;
    own.set(name, (own.get(name) ?? 0) + time);
    const above = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) above.add(names.get(at) ?? "?");
    for (const caller of above) whole.set(caller, (whole.get(caller) ?? 0) + time);
  }
  const sorted = (times: Map<string, number>) =>
    [...times].map(([name, time]) => ({ name, share: time / busy })).toSorted((a, b) => b.share - a.share);
  return { own: sorted(own), whole: sorted(whole) };
}

/** A function's name with the end of its file's address that tells it apart. */
function describeFrame({ functionName, url, lineNumber }: Profile["nodes"][number]["callFrame"]): string {
  const place = url.replace(/^file:\/\//, "").replace(`${path.resolve(import.meta.dirname, "..")}/`, "");
  return `${functionName || "(anonymous)"}${place ? `  ${place}:${lineNumber + 1}` : ""}`;
}
