import "server-only";
import { onSignal, type Signal } from "./bus";

type Of<Topic extends Signal["topic"]> = Extract<Signal, { topic: Topic }>;

/**
 * Returns a topic's signals as an async iterable. Signals are collected from the call on (not from the first `next`), so
 * that the caller misses none between reading the rows and waiting. After `idleMs` without a signal it yields `null`: the
 * caller then reads the rows again.
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
