import path from "node:path";
import type { Profile } from "./inspector";
import { load } from "./load";
import { rate } from "./report";
import { roundSeconds } from "./scale";
import { withProduct } from "./with-product";

const callers = 64;
const shown = 40;

/** Where the server spends its time under load: functions by their own share of it. Not a claim, but the way to one. */
export const profile = (): Promise<string> =>
  withProduct(async ({ callTarget, product }) => {
    const target = await callTarget("date_time", {}, callers);
    await load(target, callers, roundSeconds);
    const inspector = await product.inspector();
    let perSecond = 0;
    const taken = await inspector.profile(async () => {
      ({ perSecond } = await load(target, callers, roundSeconds * 2));
    });
    inspector.close();
    const lines = selfTimes(taken)
      .slice(0, shown)
      .map(({ name, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
    return [`date_time, ${callers} callers, ${rate(perSecond)} while profiled; share of the time, own time only:`, ...lines].join("\n");
  });

function selfTimes({ nodes, samples, timeDeltas }: Profile): { name: string; share: number }[] {
  const nameOf = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || "(anonymous)"}${url ? `  ${shortened(url)}:${lineNumber + 1}` : ""}`,
    ]),
  );
  const spent = new Map<string, number>();
  let whole = 0;
  for (const [place, id] of samples.entries()) {
    const name = nameOf.get(id) ?? "?";
    const time = timeDeltas[place] ?? 0;
    spent.set(name, (spent.get(name) ?? 0) + time);
    whole += time;
  }
  return [...spent].map(([name, time]) => ({ name, share: time / whole })).toSorted((a, b) => b.share - a.share);
}

/** The end of a file's address that tells it apart. */
const shortened = (url: string): string => url.replace(/^file:\/\//, "").replace(`${path.resolve(import.meta.dirname, "..")}/`, "");
