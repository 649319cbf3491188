import { expect, test } from "vitest";
import { timeLeft } from "./time-left";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const after = (seconds: number) => new Date(now + seconds * 1_000).toISOString();

test.each([
  [3 * 24 * 3_600, "3 days left"],
  [2 * 3_600, "2 h left"],
  [90 * 60, "1 h 30 min left"],
  [30 * 60, "30 min left"],
  [10 * 60, "10 min left"],
  [10 * 60 - 1, "9:59 left"],
  [61, "1:01 left"],
  [5, "0:05 left"],
])("%d seconds before the end it says how long: %s", (seconds, text) => {
  expect(timeLeft(after(seconds), now).text).toBe(text);
});

test("it warns in the last minute, not before", () => {
  expect(timeLeft(after(61), now).isLastMinute).toBe(false);
  expect(timeLeft(after(60), now)).toMatchObject({ isLastMinute: true, isOver: false });
});

test("part of a second still counts, and then the time is up", () => {
  expect(timeLeft(after(0.2), now)).toMatchObject({ text: "0:01 left", isOver: false });
  expect(timeLeft(after(0), now)).toEqual({ text: "expired", isLastMinute: true, isOver: true });
  expect(timeLeft(after(-90), now).isOver).toBe(true);
});
