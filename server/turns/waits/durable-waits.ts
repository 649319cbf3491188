import "server-only";
import { throughOutages } from "@/server/platform/database/through-outages";
import type { WaitStep } from "@/server/tools/define-tool";
import { durableWaitKinds } from "../durable-wait-kinds";
import type { DurableWait } from "./durable-wait";

/** Interval of looks without news. */
const pollIntervalMs = 1_000;

/** Lets tools wait for a kind of durable work. */
export function provideDurableWait(wait: DurableWait): void {
  durableWaitKinds().set(wait.kind, wait);
}

/** Waits until durable work is over. @returns its result, or an empty text when the time was up. @throws what `look` throws, or the reason of the stop */
export async function awaitDurable({ wait: { kind, id, seconds } }: WaitStep, stopped: AbortSignal): Promise<string> {
  const found = durableWaitKinds().get(kind);
  if (!found) throw new Error(`nothing provides waits for "${kind}"`);
  const deadline = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1_000;
  let wake = () => {};
  const off = found.onNews(id, () => wake());
  const stop = () => wake();
  stopped.addEventListener("abort", stop);
  try {
    for (;;) {
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      stopped.throwIfAborted();
      const result = await throughOutages(() => found.look(id), stopped);
      if (result !== null) return result;
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return "";
      const timer = setTimeout(() => wake(), Math.min(pollIntervalMs, leftMs));
      await news;
      clearTimeout(timer);
    }
  } finally {
    off();
    stopped.removeEventListener("abort", stop);
  }
}
