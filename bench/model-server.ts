import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request of a run as the model server got it. */
export type AskedStep = {
  /** The words by which the run is known, from its message. */
  run: string;
  /** Place of the step in its run, from 0. */
  step: number;
  /** When the whole request had arrived. */
  arrivedAt: number;
};

/** How a reply is written: its calls or text, and when. */
export type BenchReply = { thinksMs?: number; call?: { name: string; arguments: object }; text?: string; waitsFor?: Promise<unknown> };

export type BenchModelServer = {
  url: string;
  /** Milliseconds between the end of a reply and the arrival of the run's next request: everything but the model. */
  ownTimes: Map<string, number[]>;
  /** When each run's requests arrived. */
  arrivals: Map<string, number[]>;
  /** When the first word of a reply was sent, by run. */
  firstWordAt: Map<string, number>;
  close: () => Promise<void>;
};

const marker = /bench-run-[a-z0-9-]+/;

/**
 * An OpenAI-compatible server that streams. It looks for the name of the run in the request and does not parse it, so that long
 * requests cost it as little as short ones.
 */
export async function startBenchModelServer(replyTo: (asked: AskedStep) => BenchReply): Promise<BenchModelServer> {
  const ownTimes = new Map<string, number[]>();
  const arrivals = new Map<string, number[]>();
  const firstWordAt = new Map<string, number>();
  const endedAt = new Map<string, number>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const arrivedAt = performance.now();
      const run = marker.exec(Buffer.concat(parts).toString("latin1"))?.[0];
      if (!run) return response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"no run of the bench"}}');
      const times = arrivals.get(run) ?? [];
      arrivals.set(run, [...times, arrivedAt]);
      const ended = endedAt.get(run);
      if (ended !== undefined) ownTimes.set(run, [...(ownTimes.get(run) ?? []), arrivedAt - ended]);
      const step = times.length;
      void write(response, replyTo({ run, step, arrivedAt }), step, {
        onFirstWord: () => firstWordAt.set(run, performance.now()),
        onEnd: () => endedAt.set(run, performance.now()),
      });
    });
  });
  // Kept connections, as providers keep them.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    ownTimes,
    arrivals,
    firstWordAt,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

type Told = { onFirstWord: () => void; onEnd: () => void };

async function write(
  response: ServerResponse,
  { thinksMs = 0, call, text = "", waitsFor }: BenchReply,
  step: number,
  told: Told,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  if (thinksMs > 0) await new Promise((resolve) => setTimeout(resolve, thinksMs));
  await waitsFor;
  if (text) {
    told.onFirstWord();
    response.write(chunk({ role: "assistant", content: text }, null));
  }
  if (call) {
    const named = {
      index: 0,
      id: `call_${step}`,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    };
    response.write(chunk({ role: "assistant", tool_calls: [named] }, null));
  }
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  told.onEnd();
  response.end(`${chunk({}, call ? "tool_calls" : "stop", { usage })}data: [DONE]\n\n`);
}

const chunk = (delta: object, finish: string | null, more: object = {}) =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
