import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { TextResponse } from "./text-response";

/** How long, and how much, the rest of a body that nobody wants is read before its connection is closed. */
const unreadBodyMs = 5_000;
const unreadBodyBytes = 16 * 1_048_576;

/**
 * Writes a route's response to the socket, as fast as the client takes it. Resolves when all of it was handed over or
 * the client has left; then a streamed body has been cancelled.
 */
export async function sendResponse(response: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (!incoming.complete) discardRest(incoming, outgoing);
  outgoing.statusCode = response.status;
  outgoing.setHeaders(response.headers);
  if (response instanceof TextResponse) {
    outgoing.end(response.wholeText);
  } else if (!response.body) {
    outgoing.end();
  } else if (incoming.method === "HEAD" || outgoing.destroyed) {
    outgoing.end();
    await response.body.cancel();
  } else {
    await sendStream(response.body.getReader(), outgoing);
  }
}

async function sendStream(reader: ReadableStreamDefaultReader<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  let goOn = () => {};
  const leave = () => {
    // Reading ends with it at once, however long the next piece would have taken.
    void reader.cancel().catch(() => {});
    goOn();
  };
  outgoing.once("close", leave);
  // The beginning of an event stream is an answer already.
  outgoing.flushHeaders();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (outgoing.destroyed || outgoing.write(piece.value)) continue;
      await new Promise<void>((resolve) => {
        goOn = resolve;
        outgoing.once("drain", resolve);
      });
    }
    outgoing.off("close", leave);
    outgoing.end();
  } catch {
    // Whoever wrote the stream has said why; a client notices only by an answer that ends too soon.
    outgoing.destroy();
  }
}

/** Reads on for a moment, so that a sender who is nearly done gets to read the answer and may keep the connection. */
function discardRest(incoming: IncomingMessage, outgoing: ServerResponse): void {
  let left = unreadBodyBytes;
  incoming.on("data", (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) incoming.pause();
  });
  outgoing.once("finish", () => {
    if (incoming.complete) return;
    const timer = setTimeout(() => incoming.socket.destroy(), unreadBodyMs).unref();
    for (const event of ["end", "close"]) incoming.once(event, () => clearTimeout(timer));
  });
}
