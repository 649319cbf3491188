import { setTimeout as wait } from "node:timers/promises";

/**
 * Lets a few start at once and the others wait. A slot is about the effort of starting: one that takes longer than
 * `patienceMs` keeps waiting for its server, and no longer keeps the others.
 */
export function makeSlots(count: number, patienceMs: number): <T>(work: () => Promise<T>) => Promise<T> {
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
    const running = work();
    const settled = running.then(
      () => {},
      () => {},
    );
    void Promise.race([settled, wait(patienceMs, undefined, { ref: false })]).then(release);
    return running;
  };
}
