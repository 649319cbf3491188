import { setTimeout as wait } from "node:timers/promises";

/**
 * Makes a semaphore that limits how many works start at once. A slot is free again after `patienceMs`, although its work
 * continues, because only the beginning of a connection is expensive.
 */
export function makeSemaphore(count: number, patienceMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    // Also work that throws before its first `await` gives its slot back.
    const running = (async () => work())();
    const settled = running.then(
      () => {},
      () => {},
    );
    void Promise.race([settled, wait(patienceMs, undefined, { ref: false })]).then(release);
    return running;
  };
}
