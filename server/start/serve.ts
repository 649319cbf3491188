import "server-only";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { frontDoor } from "@/server/http/front-door";
import { portError } from "./demand-free-port";

/** What answers requests, and how to end it. */
export type Answering = {
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  close: () => Promise<void>;
};

/** How long requests that are under way may go on once we stop. */
const drainMs = 5_000;

/** How long idle connections stay open then, so that who keeps some learns from an answer that they end. */
const idleGraceMs = 500;

/** @throws StartError when the port was taken in the meantime */
export async function listen({ answer, upgrade }: Answering, port: number): Promise<{ drain: () => Promise<void> }> {
  const open = new Set<ServerResponse>();
  let isDraining = false;
  const server = createServer((request, response) => {
    open.add(response);
    response.once("close", () => {
      open.delete(response);
      if (isDraining) setImmediate(() => server.closeIdleConnections());
    });
    if (isDraining) response.setHeader("connection", "close");
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
  return {
    drain: () => {
      isDraining = true;
      for (const response of open) if (!response.headersSent) response.setHeader("connection", "close");
      return drain(server);
    },
  };
}

/** Takes no new connections, lets what is under way finish for a while, then closes what is left. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  // Node's own `close` of an HTTP server cuts idle connections off at once.
  NetServer.prototype.close.call(server);
  const limit = pause(drainMs, "late", { ref: false });
  if ((await Promise.race([closed, limit, pause(idleGraceMs, "grace", { ref: false })])) === "grace") {
    server.closeIdleConnections();
    await Promise.race([closed, limit]);
  }
  server.closeAllConnections();
  await closed;
}
