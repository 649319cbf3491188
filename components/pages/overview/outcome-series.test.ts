import { expect, test } from "vitest";
import { outcomesIn, outcomeWords } from "./outcome-series";

test("statuses are summed into outcomes, and outcomes that did not occur are left out", () => {
  expect(outcomesIn({ failed: 1, timed_out: 2, interrupted: 3, succeeded: 4, denied: 5, rejected: 6, expired: 7, running: 8 })).toEqual([
    { outcome: "succeeded", count: 4 },
    { outcome: "failed", count: 6 },
    { outcome: "denied", count: 18 },
    { outcome: "open", count: 8 },
  ]);
});

test("each outcome has a colour of its own", () => {
  const colours = Object.values(outcomeWords).map(({ colour }) => colour);
  expect(new Set(colours).size).toBe(colours.length);
});
