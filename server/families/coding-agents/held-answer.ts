import "server-only";
import type { JsonObject } from "@/contracts/common";
import { processWide } from "@/server/platform/process-wide";

/** Proxies cut connections on which nothing comes for a minute; blanks before JSON mean nothing. */
const blankEveryMs = 20_000;

type Keeper = { streams: Set<ReadableStreamDefaultController<Uint8Array>>; timer: NodeJS.Timeout | null };

/** All answers that are being waited for share one timer. */
const keeper = () => processWide<Keeper>("heldAnswers", () => ({ streams: new Set(), timer: null }));

const encoder = new TextEncoder();
const blank = encoder.encode(" ");

function keepAlive(stream: ReadableStreamDefaultController<Uint8Array>): () => void {
  const state = keeper();
  state.streams.add(stream);
  state.timer ??= setInterval(() => {
    for (const open of state.streams) open.enqueue(blank);
  }, blankEveryMs).unref();
  return () => {
    state.streams.delete(stream);
    if (state.streams.size > 0 || !state.timer) return;
    clearInterval(state.timer);
    state.timer = null;
  };
}

/**
 * Answers with JSON as soon as it is known, and keeps the connection open until then. An error breaks the connection, because
 * a half answer must not read as a permission.
 */
export function heldAnswer(body: Promise<JsonObject>, headers: Record<string, string>): Response {
  let release = () => {};
  let isRead = true;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      release = keepAlive(controller);
      body.then(
        (value) => {
          release();
          // The client left at the same moment, and its stream takes nothing any more.
          if (!isRead) return;
          controller.enqueue(encoder.encode(JSON.stringify(value)));
          controller.close();
        },
        (error) => {
          release();
          controller.error(error);
        },
      );
    },
    cancel() {
      isRead = false;
      release();
    },
  });
  return new Response(stream, { headers: { "content-type": "application/json", "cache-control": "no-store", ...headers } });
}
