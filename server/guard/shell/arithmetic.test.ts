import { expect, test } from "vitest";
import { valueOfArithmetic } from "./arithmetic";

test.each([
  ["$((0-1))", "-1"],
  ["$(( 2 * (3 + 4) - -1 ))", "15"],
  ["$[1+1]", "2"],
  ["$((1 - 2 - 3))", "-4"],
])("%s is %s", (text, value) => {
  expect(valueOfArithmetic(text)).toBe(value);
});

test.each(["$((x+1))", "$((010))", "$((1+))", "$((1 2))", "$(())", "$((1)", "$((9999999999 * 9999999999))", `$((${"1+".repeat(40)}1))`])(
  "%s is not known",
  (text) => {
    expect(valueOfArithmetic(text)).toBeNull();
  },
);
