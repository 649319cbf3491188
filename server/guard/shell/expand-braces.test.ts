import { expect, test } from "vitest";
import { expandBraces } from "./expand-braces";

test.each<[word: string, words: string[]]>([
  ["a", ["a"]],
  ["a{b,c}d", ["abd", "acd"]],
  ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
  ["{a,}", ["a", ""]],
  ["a{b,c{d,e}f}", ["ab", "acdf", "ab", "acef"]],
  ["{a}{b,c}", ["{a}b", "{a}c"]],
  ["}{a,b}", ["}a", "}b"]],
  ["{a}", ["{a}"]],
  ["{}", ["{}"]],
  ["{1..9}", ["{1..9}"]],
  ["a,b}", ["a,b}"]],
  ["a,b}{c", ["a,b}{c"]],
  ["{a,b", ["{a,b"]],
  ["{a}x,b}", ["{a}x,b}"]],
])("%s stands for %j", (word, words) => {
  expect(expandBraces(word)).toEqual(words);
});

test("braces stand for as many words as are looked at", () => {
  expect(expandBraces("{a,b}".repeat(6))).toHaveLength(64);
  expect(expandBraces("{a,b}".repeat(7))).toHaveLength(64);
  const list = (count: number) => `{${Array.from({ length: count }, (_, at) => at).join(",")}}`;
  expect(expandBraces(list(64)).at(-1)).toBe("63");
  expect(expandBraces(list(65))).toEqual([list(65)]);
});

test("braces of a long word stay as they are", () => {
  const word = (length: number) => "{a,b}".padEnd(length, "x");
  expect(expandBraces(word(10_000))).toHaveLength(2);
  expect(expandBraces(word(10_001))).toEqual([word(10_001)]);
});
