import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showProgress } from "./show-progress.mjs";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a long step says every ten seconds that it goes on, until it ends", () => {
  const lines: string[] = [];
  const end = showProgress("building", (line) => lines.push(line));
  vi.advanceTimersByTime(25_000);
  expect(lines).toEqual(["  still building, 10 s so far", "  still building, 20 s so far"]);
  expect(end()).toBe(25);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(2);
});
