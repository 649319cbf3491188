/** A timeout whose clock stands still while work is done that does not count. */
export type PausableTimeout = {
  /** Runs work that does not count. */
  during: <T>(work: () => Promise<T>) => Promise<T>;
  clear: () => void;
};

/** Starts a timeout. Overlapping pauses count as one. */
export function pausableTimeout(milliseconds: number, onTimeout: () => void): PausableTimeout {
  let left = milliseconds;
  let startedAt = performance.now();
  let pauses = 0;
  let isOver = false;
  let timer = setTimeout(onTimeout, left);
  return {
    during: async (work) => {
      if (pauses === 0) {
        clearTimeout(timer);
        left -= performance.now() - startedAt;
      }
      pauses += 1;
      try {
        return await work();
      } finally {
        pauses -= 1;
        if (pauses === 0 && !isOver) {
          startedAt = performance.now();
          timer = setTimeout(onTimeout, Math.max(0, left));
        }
      }
    },
    clear: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
