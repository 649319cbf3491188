import { setTimeout as pause } from "node:timers/promises";
import { turnEndpoints } from "../contracts/turns/turns";
import { Connection } from "./connection";
import { type EventClient, openEventStream } from "./event-client";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { percentile } from "./statistics";
import { askAboutWrites, decideRequest, suspendTurns } from "./suspended-turns";
import { type Given, withProduct } from "./with-product";

const limitMs = 250;
const callsOfTurn = 16;
const event = "approval.decided";

/** How long an event takes to whoever watches, with a thousand of them: from the decision's sending to its event. */
export const streams = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const count = scaled(1_000, 50);
    await askAboutWrites(given);
    const together = await onOneTurn(given, count);
    const apart = await onTurnsOfTheirOwn(given, count);
    const what = `${count.toLocaleString("en")} event streams`;
    return [
      ...figures(`${what} on one turn, decision to event at the last`, together),
      ...figures(`${what} on as many turns, decision to its event`, apart),
    ];
  });

/** Everybody watches one turn whose calls are approved one after the other. */
async function onOneTurn(given: Given, count: number): Promise<number[]> {
  const { agent, asAgent, asAdmin, product } = given;
  const [conversationId = ""] = await given.conversations(1);
  const times: number[] = [];
  for (let round = 0; round < scaled(4, 1); round++) {
    const calls = Array.from({ length: callsOfTurn }, (_, place) => ({
      id: `call_${place}`,
      name: "write_file",
      arguments: { path: `${place}.txt`, content: "a line\n" },
    }));
    const turn = await agent.call(turnEndpoints.submit, { params: { id: conversationId }, body: { calls } });
    let told = () => {};
    const clients = await openMany(product.port, asAgent, Array(count).fill(turn.id), () => told());
    const decider = await Connection.open(product.port);
    for (let place = 0; place < callsOfTurn; place++) {
      const approvalId = await approvalOf(given, turn.id, place);
      let left = count;
      const everybody = new Promise<number>((resolve) => {
        told = () => {
          if (--left === 0) resolve(performance.now());
        };
      });
      const began = performance.now();
      await demandDecided(decider, decideRequest(product.port, approvalId, asAdmin));
      times.push((await inTime(everybody, () => `${left} of ${count} event streams were not told`)) - began);
    }
    decider.close();
    for (const client of clients) client.close();
  }
  return times;
}

/** The call at this place is asked about once the ones before it have run. */
async function approvalOf({ agent }: Given, turnId: string, place: number): Promise<string> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const call = (await agent.call(turnEndpoints.get, { params: { id: turnId }, query: { wait: 0 } })).calls[place];
    if (call?.status === "awaiting_approval" && call.approvalId) return call.approvalId;
    await pause(20);
  }
  throw new Error(`call ${place} of turn ${turnId} was not asked about`);
}

/** Each watches a turn of its own; they are decided one after the other. */
async function onTurnsOfTheirOwn(given: Given, count: number): Promise<number[]> {
  const { asAgent, product } = given;
  const conversations = await given.conversations(Math.min(count, 100));
  const ids = Array.from({ length: count }, (_, place) => conversations[place % conversations.length] ?? "");
  const asked = await suspendTurns(given, ids);
  const told: (() => void)[] = [];
  const clients = await openMany(
    product.port,
    asAgent,
    asked.map(({ turnId }) => turnId),
    (place) => told[place]?.(),
  );
  const decider = await Connection.open(product.port);
  const times: number[] = [];
  for (const [place, { decideRequest: request, turnId }] of asked.entries()) {
    const arrived = new Promise<number>((resolve) => {
      told[place] = () => resolve(performance.now());
    });
    const began = performance.now();
    await demandDecided(decider, request);
    times.push((await inTime(arrived, () => `the event stream of turn ${turnId} was not told`)) - began);
  }
  decider.close();
  for (const client of clients) client.close();
  return times;
}

async function openMany(
  port: number,
  headers: Record<string, string>,
  turnIds: string[],
  onEvent: (place: number) => void,
): Promise<EventClient[]> {
  const clients: EventClient[] = [];
  for (const [place, turnId] of turnIds.entries()) {
    clients.push(await openEventStream(port, { path: `/api/v1/turns/${turnId}/events`, headers, event, onEvent: () => onEvent(place) }));
  }
  return clients;
}

async function demandDecided(decider: Connection, request: Buffer): Promise<void> {
  const { status, body } = await decider.send(request);
  if (status !== 200) throw new Error(`a decision was answered ${status}: ${body}`);
}

async function inTime(arrival: Promise<number>, complaint: () => string): Promise<number> {
  const limit = new AbortController();
  const late = pause(30_000, null, { signal: limit.signal }).catch(() => null);
  const arrived = await Promise.race([arrival, late]);
  limit.abort();
  if (arrived === null) throw new Error(`${complaint()} within 30 s`);
  return arrived;
}

function figures(measured: string, times: number[]): Line[] {
  const p99 = percentile(times, 0.99);
  return [
    { measured: `${measured}, p99 of ${times.length}`, ours: milliseconds(p99), target: `< ${limitMs} ms`, isMet: p99 < limitMs },
    { measured: `${measured}, p50`, ours: milliseconds(percentile(times, 0.5)) },
  ];
}
