import { setImmediate } from "node:timers/promises";

const sliceMs = 4;

/**
 * Makes a function that is awaited between small pieces of long work: every few milliseconds it lets everybody else go
 * first, so that nobody's request waits for it.
 */
export function makeBreathe(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < sliceMs) return undefined;
    return setImmediate().then(() => {
      began = performance.now();
    });
  };
}
