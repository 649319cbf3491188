import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { Connection } from "./connection";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { percentile } from "./statistics";
import { askAboutWrites, type SuspendedTurn, suspendTurns } from "./suspended-turns";
import { withProduct } from "./with-product";

const atOnce = 100;

const Polled = z.object({ status: z.string(), calls: z.array(z.object({ status: z.string(), durationMs: z.number().nullable() })).min(1) });

/** From a decision on its way to the server, to the result in the hands of who waits for it, without the tool's own time. */
export const decisions = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const { port } = given.product;
    await askAboutWrites(given);
    const conversations = await given.conversations(atOnce);
    const idle: number[] = [];
    for (let round = -5; round < scaled(100, 10); round++) {
      const took = await decide(port, await suspendTurns(given, conversations.slice(0, 1)));
      if (round >= 0) idle.push(...took);
    }
    const busy: number[] = [];
    for (let round = -1; round < scaled(10, 2); round++) {
      const took = await decide(port, await suspendTurns(given, conversations));
      if (round >= 0) busy.push(...took);
    }
    return [...figures("decision to result, idle", idle, 5), ...figures(`decision to result, ${atOnce} decided at once`, busy, 20)];
  });

/** Lets somebody wait for each turn, then decides all of them at once: milliseconds until each of those had the result. */
async function decide(port: number, asked: SuspendedTurn[]): Promise<number[]> {
  const waiting = await Promise.all(
    asked.map(async ({ pollRequest, decideRequest }) => {
      const poller = await Connection.open(port);
      return { poller, decider: await Connection.open(port), decideRequest, result: pollToTheEnd(poller, pollRequest) };
    }),
  );
  // Everybody waits by now; a poll that were still on its way would only make the figure smaller.
  await pause(asked.length > 1 ? 300 : 30);
  const took = await Promise.all(
    waiting.map(async ({ decider, decideRequest, result }) => {
      const decidedAt = performance.now();
      const [answer, { arrivedAt, toolMs }] = await Promise.all([decider.send(decideRequest), result]);
      if (answer.status !== 200) throw new Error(`a decision was answered ${answer.status}: ${answer.body}`);
      return arrivedAt - decidedAt - toolMs;
    }),
  );
  for (const { poller, decider } of waiting) for (const connection of [poller, decider]) connection.close();
  return took;
}

async function pollToTheEnd(poller: Connection, request: Buffer): Promise<{ arrivedAt: number; toolMs: number }> {
  for (;;) {
    const { status, body } = await poller.send(request);
    const arrivedAt = performance.now();
    if (status !== 200 && status !== 202) throw new Error(`a long poll was answered ${status}: ${body}`);
    const turn = Polled.parse(JSON.parse(body.toString()));
    if (turn.status !== "completed") continue;
    const [call] = turn.calls;
    if (call?.status !== "succeeded") throw new Error(`an approved write ended as ${call?.status}`);
    return { arrivedAt, toolMs: call.durationMs ?? 0 };
  }
}

function figures(measured: string, times: number[], limitMs: number): Line[] {
  const p50 = percentile(times, 0.5);
  return [
    { measured: `${measured}, p50`, ours: milliseconds(p50), target: `<= ${limitMs} ms`, isMet: p50 <= limitMs },
    { measured: `${measured}, p99`, ours: milliseconds(percentile(times, 0.99)) },
  ];
}
