import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttleLatest } from "./throttle-latest";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first of a flood comes at once, and the last is never lost", () => {
  const seen: number[] = [];
  const gate = throttleLatest<number>(100, (value) => seen.push(value));
  for (let value = 0; value < 1_000; value += 1) gate.offer(value);
  expect(seen).toEqual([0]);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual([0, 999]);
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual([0, 999]);
});

test("a second of steady values is about ten", () => {
  const seen: number[] = [];
  const gate = throttleLatest<number>(100, (value) => seen.push(value));
  for (let value = 0; value < 1_000; value += 1) {
    gate.offer(value);
    vi.advanceTimersByTime(1);
  }
  expect(seen.length).toBeGreaterThanOrEqual(10);
  expect(seen.length).toBeLessThanOrEqual(11);
});

test("a value that was held back is dropped when nobody waits for it any more", () => {
  const seen: number[] = [];
  const gate = throttleLatest<number>(100, (value) => seen.push(value));
  gate.offer(1);
  gate.offer(2);
  gate.stop();
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual([1]);
  expect(vi.getTimerCount()).toBe(0);
});
