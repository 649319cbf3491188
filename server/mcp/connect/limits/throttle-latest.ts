/** Passes at most one value per interval; the last value offered within an interval follows at its end. */
export type ThrottledLatest<T> = {
  offer(value: T): void;
  /** Passes the value that waits for the end of the interval now. */
  flush(): void;
  /** Drops the value that waits for the end of the interval. */
  stop(): void;
};

export function throttleLatest<T>(everyMs: number, deliver: (value: T) => void): ThrottledLatest<T> {
  let deliveredAt = Number.NEGATIVE_INFINITY;
  let kept: { value: T } | null = null;
  let timer: NodeJS.Timeout | null = null;
  const pass = (value: T) => {
    deliveredAt = performance.now();
    deliver(value);
  };
  const passKept = () => {
    timer = null;
    const last = kept;
    kept = null;
    if (last) pass(last.value);
  };
  return {
    offer: (value) => {
      const restMs = deliveredAt + everyMs - performance.now();
      if (!timer && restMs <= 0) return pass(value);
      kept = { value };
      timer ??= setTimeout(passKept, restMs).unref();
    },
    flush: () => {
      if (!timer) return;
      clearTimeout(timer);
      passKept();
    },
    stop: () => {
      if (timer) clearTimeout(timer);
      timer = null;
      kept = null;
    },
  };
}
