import { setTimeout as pause } from "node:timers/promises";

type RepeatOptions = {
  /** Pause after a failure, in milliseconds. */
  pauseMs: number;
  onError: (error: unknown) => void;
};

/**
 * Repeats work, one run at a time. The first run begins at once.
 * @param work returns the milliseconds until its next run
 * @returns a function that stops the repetition and waits for the current run
 */
export function repeat(work: () => Promise<number>, { pauseMs, onError }: RepeatOptions): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      const nextMs = await work().catch((error) => {
        onError(error);
        return pauseMs;
      });
      await pause(nextMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  return () => {
    stopped.abort();
    return done;
  };
}
