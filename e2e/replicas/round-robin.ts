import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Target = { name: string; url: string };

/** A reverse proxy as plain as they come: the next target for each request, no stickiness, no retries, streams as it gets. */
export type RoundRobin = {
  url: string;
  /** Requests that each target has got. */
  served: Map<string, number>;
  /** Calls back for each request as it is passed on. */
  onPass: (listener: (target: string, method: string, path: string) => void) => () => void;
  stop: () => Promise<void>;
};

/** Says which target answered. */
export const servedByHeader = "x-served-by";

export async function startRoundRobin(targets: readonly Target[]): Promise<RoundRobin> {
  const served = new Map<string, number>();
  const listeners = new Set<(target: string, method: string, path: string) => void>();
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const target = targets[next % targets.length];
    next += 1;
    if (!target) return void outgoing.writeHead(502).end();
    served.set(target.name, (served.get(target.name) ?? 0) + 1);
    for (const listener of listeners) listener(target.name, incoming.method ?? "GET", incoming.url ?? "/");
    pass(target, incoming, outgoing);
  });
  // A client that keeps its connections for a while must not find them closed by us first.
  server.keepAliveTimeout = 65_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    served,
    onPass(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A target that is not there, or breaks off, is a 502 or a broken answer for the client, who has to come again. */
function pass({ name, url }: Target, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const onward = request(new URL(incoming.url ?? "/", url), { method: incoming.method, headers: incoming.headers, agent: false });
  onward.on("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, [servedByHeader]: name });
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
    answer.on("aborted", () => outgoing.destroy());
  });
  onward.on("error", () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502, { [servedByHeader]: name }).end();
  });
  outgoing.on("close", () => onward.destroy());
  incoming.pipe(onward);
}
