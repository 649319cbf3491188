import path from "node:path";
import type { Profile } from "./inspector";
import { load } from "./load";
import { milliseconds, rate } from "./report";
import { roundSeconds } from "./scale";
import { withProduct } from "./with-product";

const callers = 64;
const shown = 30;

/** Where the server spends its time under load. Not a claim, but the way to one. */
export const profile = (): Promise<string> =>
  withProduct(async ({ callTarget, product }) => {
    const target = await callTarget("date_time", {}, callers);
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
      `date_time, ${callers} callers: ${rate(perSecond)}, ${milliseconds(cpuPerCall)} of the server's processor time a call`,
      "own time:",
      ...list(own),
      "with what they call, functions of the product only:",
      ...list(whole.filter(({ name }) => / {2}(dist|server|app)\//.test(name))),
    ].join("\n");
  });

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
