import { expect, test } from "vitest";
import { callCounts } from "./call-counts";

test.each([
  [{ calls: 0, failures: 0, refusals: 0, pending: 0 }, "No calls"],
  [{ calls: 0, failures: 0, refusals: 0, pending: 200 }, "No finished calls"],
  [{ calls: 3, failures: 1, refusals: 0, pending: 200 }, "3 finished calls · 1 failed"],
  [{ calls: 1_204, failures: 0, refusals: 12, pending: 0 }, "1,204 calls · 12 refused"],
])("the calls of a tool say how they ended, and that pending ones are not among them: %j", (counts, words) => {
  expect(callCounts(counts)).toBe(words);
});
