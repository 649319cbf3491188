import { expect, test } from "vitest";
import { durationText } from "./duration-text";

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_240, "1.2 s"],
  [59_400, "59 s"],
  [125_000, "2 min 5 s"],
  [3_720_000, "1 h 2 min"],
])("%d ms reads %s", (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});
