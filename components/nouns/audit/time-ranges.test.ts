import { expect, test } from "vitest";
import { findRange, rangeStart, timeRanges } from "./time-ranges";

const now = new Date(2026, 10, 23, 15, 30);

test("today begins at midnight on the wall clock, the others as long ago as they say", () => {
  expect(rangeStart("today", now)).toEqual(new Date(2026, 10, 23));
  expect(rangeStart("hour", now)).toEqual(new Date(2026, 10, 23, 14, 30));
  expect(rangeStart("week", now)).toEqual(new Date(now.getTime() - 7 * 86_400_000));
  expect(rangeStart(null, now)).toBeNull();
});

test.each(timeRanges.map(({ name }) => name))("%s is shown as chosen until its end is another", (name) => {
  const from = rangeStart(name, now);
  expect(findRange({ from, to: null }, now)).toBe(name);
  expect(findRange({ from, to: now }, now)).toBeNull();
  expect(findRange({ from: null, to: null }, now)).toBeNull();
});
