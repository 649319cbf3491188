import { setImmediate } from "node:timers/promises";

const sliceMs = 4;

/**
 * Creates a function for long work, to be awaited between small pieces. Every few milliseconds it yields to the event
 * loop, so that no other request waits for the work.
 */
export function makeYieldToEventLoop(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < sliceMs) return undefined;
    return setImmediate().then(() => {
      began = performance.now();
    });
  };
}
