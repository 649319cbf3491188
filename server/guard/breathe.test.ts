import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeBreathe } from "./breathe";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("long work lets others go first every four milliseconds, and goes on at once before that", async () => {
  const breathe = makeBreathe();
  for (let slice = 0; slice < 2; slice += 1) {
    vi.advanceTimersByTime(3);
    expect(breathe()).toBeUndefined();
    vi.advanceTimersByTime(1);
    let others = 0;
    setImmediate(() => {
      others += 1;
    });
    await breathe();
    expect(others).toBe(1);
  }
});
