import "server-only";
import { shutdownSignal } from "@/server/platform/shutdown";

export type StreamedEvent = { id?: string; event: string; data: unknown };

const heartbeatMs = 15_000;

/**
 * Answers server-sent events from an async source until it ends, the client leaves, or the process shuts down. A
 * comment every 15 s keeps proxies from closing a quiet stream.
 */
export function eventStream(signal: AbortSignal, source: (signal: AbortSignal) => AsyncIterable<StreamedEvent>): Response {
  const gone = new AbortController();
  const until = AbortSignal.any([signal, gone.signal, shutdownSignal()]);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      const send = (text: string) => {
        if (!until.aborted) controller.enqueue(encoder.encode(text));
      };
      send("retry: 1000\n\n");
      const heartbeat = setInterval(() => send(": still here\n\n"), heartbeatMs);
      try {
        for await (const { id, event, data } of source(until)) {
          send(`${id ? `id: ${id}\n` : ""}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        }
        if (!signal.aborted && !gone.signal.aborted) controller.close();
      } catch (error) {
        if (!until.aborted) controller.error(error);
      } finally {
        clearInterval(heartbeat);
        gone.abort();
      }
    },
    cancel: () => gone.abort(),
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store, no-transform", "x-accel-buffering": "no" },
  });
}
