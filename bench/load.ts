import { Connection } from "./connection";
import { roundSeconds, scaled } from "./scale";
import { type Measured, median, summarise } from "./statistics";

/** Requests, one at a time per caller, with the text that marks a right answer. */
export type Target = { port: number; requestOf: (caller: number) => Buffer; expects: string };

/** A request a caller, each made beforehand. */
export function requestFor(requests: Buffer[]): Target["requestOf"] {
  return (caller) => {
    const request = requests[caller];
    if (!request) throw new Error(`this target has requests for ${requests.length} callers`);
    return request;
  };
}

/** Callers that each send their next request when the last one was answered, for a while. A wrong answer ends the bench. */
export async function load({ port, requestOf, expects }: Target, callers: number, seconds = roundSeconds): Promise<Measured> {
  const connections = await Promise.all(Array.from({ length: callers }, () => Connection.open(port)));
  try {
    const times: number[] = [];
    const expected = Buffer.from(expects);
    let until = Number.POSITIVE_INFINITY;
    const call = async (connection: Connection, request: Buffer) => {
      const { status, body } = await connection.send(request);
      if (status !== 200 || !body.includes(expected))
        throw new Error(`an answer was wrong (${status}): ${body.toString().slice(0, 1_000)}`);
    };
    // The first answer on a connection is not counted: it pays for the connection.
    await Promise.all(connections.map((connection, caller) => call(connection, requestOf(caller))));
    const began = performance.now();
    until = began + seconds * 1_000;
    await Promise.all(
      connections.map(async (connection, caller) => {
        for (let before = performance.now(); before < until; before = performance.now()) {
          await call(connection, requestOf(caller));
          times.push(performance.now() - before);
        }
      }),
    );
    return summarise(times, performance.now() - began);
  } finally {
    for (const connection of connections) connection.close();
  }
}

export type Compared<Name extends string> = Record<Name, Measured> & {
  /** Median over the rounds of one contestant's figure divided by another's in the same round. */
  ratio: (figure: keyof Measured, of: Name, to: Name) => number;
};

/**
 * Loads several targets in alternating rounds, so that whatever else the machine does hits all of them. The order is
 * turned around every round, and a first round warms everything up without counting.
 */
export async function interleave<Name extends string>(
  contestants: Record<Name, Target>,
  { callers, rounds = scaled(5, 2) }: { callers: number; rounds?: number },
): Promise<Compared<Name>> {
  const names = Object.keys(contestants) as Name[];
  const collected: Record<Name, Measured>[] = [];
  for (let round = -1; round < rounds; round++) {
    const measured: Partial<Record<Name, Measured>> = {};
    for (const name of round % 2 === 0 ? names : names.toReversed()) measured[name] = await load(contestants[name], callers);
    if (round >= 0) collected.push(measured as Record<Name, Measured>);
  }
  const middle = (name: Name, figure: keyof Measured) => median(collected.map((round) => round[name][figure]));
  const summary = Object.fromEntries(
    names.map((name) => [
      name,
      { p50Ms: middle(name, "p50Ms"), p99Ms: middle(name, "p99Ms"), perSecond: middle(name, "perSecond") } satisfies Measured,
    ]),
  ) as Record<Name, Measured>;
  return {
    ...summary,
    ratio: (figure, of, to) => median(collected.map((round) => round[of][figure] / round[to][figure])),
  } as Compared<Name>;
}
