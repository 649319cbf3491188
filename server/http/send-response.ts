import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { compressText, encodingFor } from "./compress-text";
import { TextResponse } from "./text-response";

/** Limits for reading the rest of an unread request body before its connection is closed. */
const unreadBodyMs = 5_000;
const unreadBodyBytes = 16 * 1_048_576;

/**
 * Writes a route's response to the socket, as fast as the client reads. Resolves when the whole response was handed to the
 * socket, or when the client left and a streamed body was cancelled.
 */
export async function sendResponse(response: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (!incoming.complete) discardRest(incoming, outgoing);
  outgoing.statusCode = response.status;
  if (response instanceof TextResponse) {
    response.writeHeaders(outgoing);
    await sendText(response.wholeText, incoming, outgoing);
    return;
  }
  outgoing.setHeaders(response.headers);
  if (!response.body) {
    outgoing.end();
  } else if (incoming.method === "HEAD" || outgoing.destroyed) {
    outgoing.end();
    await response.body.cancel();
  } else {
    await sendStream(response.body.getReader(), outgoing);
  }
}

async function sendText(text: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.setHeader("vary", "accept-encoding");
  const encoding = encodingFor(incoming, text);
  if (!encoding) return void outgoing.end(text);
  const compressed = await compressText(text, encoding);
  outgoing.setHeader("content-encoding", encoding);
  outgoing.end(compressed);
}

async function sendStream(reader: ReadableStreamDefaultReader<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  let goOn = () => {};
  const leave = () => {
    // `cancel` ends a pending `read` at once.
    void reader.cancel().catch(() => {});
    goOn();
  };
  outgoing.once("close", leave);
  // The client of an event stream needs the headers before the first event.
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
    // The writer of the stream has logged the reason. Cutting the answer short is the only way to tell the client.
    outgoing.destroy();
  }
}

/** Reads on for a moment, so that a client that has nearly finished sending can read the answer and keep its connection. */
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
