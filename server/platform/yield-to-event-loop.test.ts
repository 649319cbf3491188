import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeYieldToEventLoop } from "./yield-to-event-loop";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("long work lets others go first every four milliseconds, and goes on at once before that", async () => {
  const yieldToEventLoop = makeYieldToEventLoop();
  for (let slice = 0; slice < 2; slice += 1) {
    vi.advanceTimersByTime(3);
    expect(yieldToEventLoop()).toBeUndefined();
    vi.advanceTimersByTime(1);
    let others = 0;
    setImmediate(() => {
      others += 1;
    });
    await yieldToEventLoop();
    expect(others).toBe(1);
  }
});
