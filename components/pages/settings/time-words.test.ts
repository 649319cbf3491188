import { expect, test } from "vitest";
import { timeWords } from "./time-words";

test("a time is said in the unit that a person would choose", () => {
  expect([1, 90, 120, 125, 1_800].map(timeWords)).toEqual(["1 second", "90 seconds", "2 minutes", "2 minutes 5 seconds", "30 minutes"]);
});
