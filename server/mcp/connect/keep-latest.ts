/** Passes values on, but not more often than every so many milliseconds; of those in between, the last one comes later. */
export type KeepLatest<T> = {
  offer(value: T): void;
  /** Forgets a value that was kept back. */
  stop(): void;
};

export function keepLatest<T>(everyMs: number, deliver: (value: T) => void): KeepLatest<T> {
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
    stop: () => {
      if (timer) clearTimeout(timer);
      timer = null;
      kept = null;
    },
  };
}
