import { expect, test } from "vitest";
import { expandBraces } from "./expand-braces";

test.each<[word: string, words: string[]]>([
  ["a", ["a"]],
  ["a{b,c}d", ["abd", "acd"]],
  ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
  ["{a,}", ["a", ""]],
  ["a{b,c{d,e}f}", ["ab", "acdf", "acef"]],
  ["}{a,b}", ["}a", "}b"]],
  ["{a}", ["{a}"]],
  ["{}", ["{}"]],
  ["{1..9}", ["{1..9}"]],
  ["a,b}", ["a,b}"]],
  ["a,b}{c", ["a,b}{c"]],
  ["{a,b", ["{a,b"]],
  ["{a}x,b}", ["a}x", "b"]],
  ["{a,{b,c}d", ["{a,bd", "{a,cd"]],
  ["{a,b}}{", ["a}{", "b}{"]],
  ["{{a,b},{c}}", ["a", "b", "{c}"]],
  ["{,}{,x}", ["", "x", "", "x"]],
  ["", [""]],
  ["{a},b}", ["a}", "b"]],
  ["{a}b,c}d", ["a}bd", "cd"]],
  ["{a}{b,c}", ["{a}b", "{a}c"]],
  ["{{a},b}", ["{a}", "b"]],
  ["{1..2}{a,b}", ["{1..2}a", "{1..2}b"]],
])("%s stands for %j", (word, words) => expect(expandBraces(word)).toEqual(words));

test("braces that stand for too many words, or for too long ones, cannot be read", () => {
  const list = (count: number, choice: string) => `{${Array.from({ length: count }, () => choice).join(",")}}`;
  expect(expandBraces("{a,b}".repeat(9))).toHaveLength(512);
  expect(() => expandBraces("{a,b}".repeat(10))).toThrow("too much");
  expect(expandBraces(list(512, "a"))).toHaveLength(512);
  expect(() => expandBraces(list(513, "a"))).toThrow("too much");
  expect(expandBraces(`{a,b}${"x".repeat(9_999)}`)).toHaveLength(2);
  expect(() => expandBraces(`{a,b}${"x".repeat(10_000)}`)).toThrow("too much");
});

test.each(["{", "}", "{}", "{a", "a,", "{,{", "}{"])("many of %s are read in time that grows with them", (piece) => {
  const word = piece.repeat(800);
  expect(expandBraces(word)).toEqual([word]);
});
