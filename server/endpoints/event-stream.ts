import "server-only";
import { log } from "@/server/platform/log";
import { shutdownSignal } from "@/server/platform/shutdown";
import { onSignal } from "@/server/platform/signals/bus";

export type StreamedEvent = { id?: string; event: string; data: unknown };

const heartbeatMs = 15_000;

type Reader = { signal: AbortSignal; isStillAllowed: () => Promise<boolean> };

/**
 * Answers server-sent events from an async source until it ends, the client leaves, or the process shuts down. A
 * comment every 15 s keeps proxies from closing a quiet stream. For a slow client the source is read slowly, so that no
 * events pile up in memory. The stream ends at once when the reader's access ends (a revoked key, a sign-out, a removed
 * member), or at the next comment when that signal was lost.
 */
export function eventStream({ signal, isStillAllowed }: Reader, source: (signal: AbortSignal) => AsyncIterable<StreamedEvent>): Response {
  const gone = new AbortController();
  const refused = new AbortController();
  const until = AbortSignal.any([signal, gone.signal, refused.signal, shutdownSignal()]);
  const encoder = new TextEncoder();
  let takeMore = () => {};

  async function feed(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const send = (text: string) => {
      if (!until.aborted) controller.enqueue(encoder.encode(text));
    };
    const hasRoom = () => (controller.desiredSize ?? 0) > 0;
    const stop = () => takeMore();
    until.addEventListener("abort", stop, { once: true });
    const check = async () => {
      if (!(await isStillAllowed())) refused.abort();
    };
    const beat = async () => {
      await check();
      if (hasRoom()) send(": still here\n\n");
    };
    const unchecked = (error: unknown) => log().debug({ err: error }, "a stream's reader could not be checked");
    const heartbeat = setInterval(() => void beat().catch(unchecked), heartbeatMs);
    const off = onSignal("access", () => void check().catch(unchecked));
    try {
      send("retry: 1000\n\n");
      for await (const { id, event, data } of source(until)) {
        send(`${id ? `id: ${id}\n` : ""}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        while (!hasRoom() && !until.aborted) {
          await new Promise<void>((resolve) => {
            takeMore = resolve;
          });
        }
      }
      if (!signal.aborted && !gone.signal.aborted) controller.close();
    } catch (error) {
      if (!until.aborted) controller.error(error);
    } finally {
      clearInterval(heartbeat);
      off();
      until.removeEventListener("abort", stop);
      gone.abort();
    }
  }

  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void feed(controller),
    pull: () => takeMore(),
    cancel: () => gone.abort(),
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store, no-transform", "x-accel-buffering": "no" },
  });
}
