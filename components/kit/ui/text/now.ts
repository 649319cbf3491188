import { useSyncExternalStore } from "react";

const tickMs = 1_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || !timer) return;
    clearInterval(timer);
    timer = null;
  };
}

/** Returns the time in milliseconds, rounded down to steps of `stepSeconds`. All components share one clock. */
export function useNow(stepSeconds = 1): number {
  const step = stepSeconds * 1_000;
  const read = () => Math.floor((timer ? now : Date.now()) / step) * step;
  return useSyncExternalStore(subscribe, read, read);
}
