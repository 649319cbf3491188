import "server-only";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import next from "next";
import { frontDoor } from "@/server/http/front-door";
import { portError } from "./demand-free-port";

/** What answers requests, and how to end it. */
export type Answering = {
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
  upgrade?: ReturnType<ReturnType<typeof next>["getUpgradeHandler"]>;
  close: () => Promise<void>;
};

/** How long requests that are under way may go on once we stop. */
const drainMs = 5_000;

/** Everything, answered by Next in this process. */
export async function answerWithNext({ root, port, isDev }: { root: string; port: number; isDev: boolean }): Promise<Answering> {
  const app = next({ dir: root, dev: isDev, port, hostname: "localhost", customServer: true, quiet: !isDev });
  await app.prepare();
  const answer = app.getRequestHandler();
  return {
    answer: (request, response) => answer(request, response),
    upgrade: isDev ? app.getUpgradeHandler() : undefined,
    close: () => app.close(),
  };
}

/** @throws StartError when the port was taken in the meantime */
export async function listen({ answer, upgrade }: Answering, port: number): Promise<{ drain: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (frontDoor(request, response)) return;
    Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  if (upgrade) server.on("upgrade", (request, socket, head) => void upgrade(request, socket, head).catch(() => socket.destroy()));
  // A load balancer that keeps connections for a minute must not find them closed by us first.
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 66_000;
  try {
    server.listen(port);
    await once(server, "listening");
  } catch (error) {
    throw portError(port, error);
  }
  return { drain: () => drain(server) };
}

/** Takes no new connections, lets what is under way finish for a while, then closes what is left. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const drained = await Promise.race([closed.then(() => true), pause(drainMs, false, { ref: false })]);
  if (!drained) server.closeAllConnections();
  await closed;
}
