import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeRateLimit } from "./rate-limit";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a burst passes at once, and what follows has to wait for its turn", () => {
  const pace = makeRateLimit({ burst: 100, perSecond: 10 });
  expect(pace(60)).toBe(0);
  expect(pace(40)).toBe(0);
  expect(pace(5)).toBe(500);
  vi.advanceTimersByTime(500);
  expect(pace(1)).toBe(100);
  vi.advanceTimersByTime(60_000);
  expect(pace(100)).toBe(0);
});
