import pRetry from "p-retry";

type RetryOptions = {
  /** The most attempts; absent: attempts continue while `mayRecover` returns true. */
  attempts?: number;
  /** Longest pause before the second attempt; half of it is random, because replicas must not retry in step. */
  firstPauseMs: number;
  maxPauseMs: number;
  /** Growth of the pause from one attempt to the next. */
  factor?: number;
  /** Returns true when another attempt may succeed; otherwise the last error is thrown. */
  mayRecover?: (error: Error) => boolean | Promise<boolean>;
  /** A pause keeps the process alive. */
  keepsAlive?: boolean;
  /** Aborts the pause and the work. */
  signal?: AbortSignal | undefined;
};

/**
 * Repeats failed work, with growing pauses.
 *
 * A `TypeError` is a programming error and is never retried, except those of `fetch`.
 * @param work receives the number of the attempt, from 1
 * @throws the error of the last attempt
 */
export function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts = Number.POSITIVE_INFINITY, firstPauseMs, maxPauseMs, factor = 2, mayRecover, keepsAlive = true, signal } = options;
  return pRetry(work, {
    retries: attempts - 1,
    // `randomize` makes each pause up to twice as long.
    minTimeout: firstPauseMs / 2,
    maxTimeout: maxPauseMs,
    factor,
    randomize: true,
    unref: !keepsAlive,
    ...(signal ? { signal } : {}),
    ...(mayRecover ? { shouldRetry: ({ error }) => mayRecover(error) } : {}),
  });
}
