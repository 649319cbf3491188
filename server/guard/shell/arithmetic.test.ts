import { expect, test } from "vitest";
import { valueOfArithmetic } from "./arithmetic";

test.each([
  ["$((0-1))", "-1"],
  ["$(( 2 * (3 + 4) - -1 ))", "15"],
  ["$[1+1]", "2"],
  ["$((1 - 2 - 3))", "-4"],
  ["$((+3))", "3"],
  ["$((1001 * 12))", "12012"],
  [`$((${"1".padEnd(56)}))`.replace(" ))", "))"), "1"],
])("%s is %s", (text, value) => {
  expect(valueOfArithmetic(text)).toBe(value);
});

test.each([
  "$((x+1))",
  "x$((1))",
  "$(((1 2))",
  "$[1 2]",
  "$((010))",
  "$((1+))",
  "$((1 2))",
  "$(())",
  "$((1)",
  "$((9999999999 * 9999999999))",
  `$((${"1+".repeat(40)}1))`,
])("%s is not known", (text) => {
  expect(valueOfArithmetic(text)).toBeNull();
});
