import "server-only";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { prepareRequest } from "@/server/http/prepare-request";
import { portError } from "./assert-free-port";

/** A request handler, and the function that closes the handler. */
export type Answering = {
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  close: () => Promise<void>;
};

/** Limit of the time for the headers and body of a request to arrive, so that a half-sent request frees its connection. */
const maxRequestMs = 60_000;
const headersWithinMs = 20_000;

/** Limit of the time for running requests to finish after a stop began. */
const drainMs = 5_000;

/** Grace for idle connections after a stop began: a client that sends one more request reads `connection: close`. */
const idleGraceMs = 500;

/** @throws StartError when the port was taken in the meantime */
export async function listen(
  { answer, upgrade }: Answering,
  port: number,
  { requestWithinMs = maxRequestMs } = {},
): Promise<{ drain: () => Promise<void> }> {
  const open = new Set<ServerResponse>();
  let isDraining = false;
  // Node checks for late requests only at this interval.
  const late = { requestTimeout: requestWithinMs, connectionsCheckingInterval: Math.min(5_000, requestWithinMs) };
  const server = createServer({ ...late, headersTimeout: Math.min(headersWithinMs, requestWithinMs) }, (request, response) => {
    open.add(response);
    response.once("close", () => {
      open.delete(response);
      if (isDraining) setImmediate(() => server.closeIdleConnections());
    });
    if (isDraining) response.setHeader("connection", "close");
    if (prepareRequest(request, response)) return;
    Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  if (upgrade) server.on("upgrade", (request, socket, head) => void upgrade(request, socket, head).catch(() => socket.destroy()));
  // Longer than the minute for which load balancers keep connections, so that the server does not close them first.
  server.keepAliveTimeout = 65_000;
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

/** Refuses new connections, lets running requests finish within `drainMs`, then closes the remaining connections. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  // The `close` of Node's HTTP server would cut idle connections at once.
  NetServer.prototype.close.call(server);
  const limit = pause(drainMs, "late", { ref: false });
  if ((await Promise.race([closed, limit, pause(idleGraceMs, "grace", { ref: false })])) === "grace") {
    server.closeIdleConnections();
    await Promise.race([closed, limit]);
  }
  server.closeAllConnections();
  await closed;
}
