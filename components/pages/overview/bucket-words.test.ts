import { expect, test } from "vitest";
import { bucketWords } from "./bucket-words";

test.each([
  [120, "14:30"],
  [3_600, "14:30"],
  [21_600, "Mon 14:30"],
  [86_400, "23 Nov"],
])("a bucket of %i seconds is named as precisely as it is long", (seconds, words) => {
  expect(bucketWords("2026-11-23T14:30:00.000Z", seconds, "UTC")).toBe(words);
});
