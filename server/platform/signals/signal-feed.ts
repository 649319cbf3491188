import "server-only";
import { onSignal, type Signal } from "./bus";

type Of<Topic extends Signal["topic"]> = Extract<Signal, { topic: Topic }>;

/**
 * Returns the signals of one or more topics as an async iterable. Signals are collected from the call on (not from the first `next`), so
 * that the caller misses none between reading the rows and waiting. After `idleMs` without a signal it yields `null`: the
 * caller then reads the rows again.
 */
export function signalFeed<Topic extends Signal["topic"]>(
  topics: Topic | readonly Topic[],
  { signal, idleMs, filter }: { signal: AbortSignal; idleMs: number; filter: (signal: Of<Topic>) => boolean },
): AsyncIterable<Of<Topic> | null> {
  const waiting: Of<Topic>[] = [];
  let wake = () => {};
  const collect = (received: Of<Topic>) => {
    if (!filter(received)) return;
    waiting.push(received);
    wake();
  };
  const stops = [topics].flat().map((topic) => onSignal(topic as Topic, collect));
  const off = () => {
    for (const end of stops) end();
  };
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
