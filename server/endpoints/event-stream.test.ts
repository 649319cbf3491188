import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventStream, type StreamedEvent } from "./event-stream";

beforeEach(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => vi.useRealTimers());

/** Yields one event, then waits until the reader leaves. */
async function* oneEvent(until: AbortSignal): AsyncGenerator<StreamedEvent> {
  yield { id: "1", event: "call.started", data: {} };
  await new Promise((resolve) => until.addEventListener("abort", resolve));
}

test("a stream ends at the next comment for a reader who is not allowed any more", async () => {
  let isAllowed = true;
  const { signal } = new AbortController();
  const response = eventStream({ signal, isStillAllowed: async () => isAllowed }, oneEvent);
  const text = response.text();
  await vi.advanceTimersByTimeAsync(15_000);
  isAllowed = false;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await text).toBe("retry: 1000\n\nid: 1\nevent: call.started\ndata: {}\n\n: still here\n\n");
});
