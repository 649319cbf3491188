import { expect, test } from "vitest";
import { attachedValue, isLongOption } from "./long-option";

test.each<[word: string, option: string, expected: boolean]>([
  ["--expression", "--expression", true],
  ["--expression=x", "--expression", true],
  ["--e", "--expression", true],
  ["--e=x=y", "--expression", true],
  ["--", "--expression", false],
  ["--=x", "--expression", false],
  ["--expressions", "--expression", false],
  ["-ex", "-exec", false],
])("%s is the option %s: %s", (word, option, expected) => {
  expect(isLongOption(word, option)).toBe(expected);
});

test("the value of a long option stands behind its first =", () => {
  expect(["--a=b=c", "--a=", "=b", "--a"].map(attachedValue)).toEqual(["b=c", "", "b", null]);
});
