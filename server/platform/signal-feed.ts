import "server-only";
import { onSignal, type Signal } from "./bus";

type Of<Topic extends Signal["topic"]> = Extract<Signal, { topic: Topic }>;

/**
 * Signals of a topic as an async iterable, from the moment of the call (not of the first `next`), so that nothing
 * between reading the rows and waiting is missed. A `null` comes when `idleMs` pass without one: time to look at the rows.
 */
export function signalFeed<Topic extends Signal["topic"]>(
  topic: Topic,
  { signal, idleMs, filter }: { signal: AbortSignal; idleMs: number; filter: (signal: Of<Topic>) => boolean },
): AsyncIterable<Of<Topic> | null> {
  const waiting: Of<Topic>[] = [];
  let wake = () => {};
  const off = onSignal(topic, (received) => {
    if (!filter(received)) return;
    waiting.push(received);
    wake();
  });
  const stop = () => {
    off();
    wake();
  };
  signal.addEventListener("abort", stop, { once: true });
  return {
    async *[Symbol.asyncIterator]() {
      try {
        while (!signal.aborted) {
          const next = waiting.shift();
          if (next) {
            yield next;
            continue;
          }
          const timedOut = await new Promise<boolean>((resolve) => {
            const timer = setTimeout(() => resolve(true), idleMs);
            wake = () => {
              clearTimeout(timer);
              resolve(false);
            };
          });
          if (timedOut && !signal.aborted) yield null;
        }
      } finally {
        signal.removeEventListener("abort", stop);
        off();
      }
    },
  };
}
