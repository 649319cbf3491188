import { expect, test } from "vitest";
import { startOf } from "./trigger-words";

test.each([
  ["schedule", "every 3600 s", "every hour"],
  ["schedule", "every 5400 s", "every 90 minutes"],
  ["schedule", "0 9 * * 1-5", "weekdays at 09:00"],
  ["schedule", "once", "once"],
  ["watch", "every 60 s", "Topic every 60 s"],
  ["trigger", "webhook", "A call of a webhook"],
] as const)("a %s that starts on %s reads as %s", (kind, startsOn, words) => {
  expect(startOf({ kind, startsOn })).toBe(words);
});
