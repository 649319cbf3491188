import { expect, test } from "vitest";
import { relativeTime } from "./relative-time-text";

const now = Date.parse("2026-06-15T12:00:00Z");
const seconds = (count: number) => now + count * 1_000;

test("what is to come is never just now", () => {
  expect(relativeTime(seconds(3), now, true)).toBe("in a moment");
  expect(relativeTime(seconds(90), now, true)).toBe("in 1 min");
});

test.each([
  [-3, "just now"],
  [3, "just now"],
  [-42, "42 s ago"],
  [-60, "1 min ago"],
  [-59 * 60, "59 min ago"],
  [-3_600, "1 h ago"],
  [-26 * 3_600, "1 d ago"],
  [90, "in 1 min"],
  [-8 * 86_400, "7 Jun"],
  [-400 * 86_400, "11 May 2025"],
])("a time %i seconds from now reads %s", (offset, words) => {
  expect(relativeTime(seconds(offset), now)).toBe(words);
});
