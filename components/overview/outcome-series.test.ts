import { expect, test } from "vitest";
import { outcomesIn } from "./outcome-series";

test("statuses are summed into outcomes, and outcomes that did not occur are left out", () => {
  expect(outcomesIn({ failed: 1, timed_out: 2, interrupted: 3, succeeded: 4, denied: 5, rejected: 6, expired: 7, running: 8 })).toEqual([
    { outcome: "succeeded", count: 4 },
    { outcome: "failed", count: 6 },
    { outcome: "denied", count: 18 },
    { outcome: "open", count: 8 },
  ]);
});
