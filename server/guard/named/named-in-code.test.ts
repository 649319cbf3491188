import { expect, test } from "vitest";
import { namedInCode, quotedTexts } from "./named-in-code";
import { pathInside } from "./path-inside";

test.each([
  ["open('a')", ["a"]],
  ["open(\"a b\") + open('c') + `d`", ["a b", "c", "d"]],
  ["", []],
  ["nothing quoted", []],
  ["''", [""]],
  ["it's 'a'", ["s "]],
  ["\"it's\" 'a'", ["it's", "a"]],
  ['don\'t say "a" or `b`', ["a", "b"]],
  ['` "a" \' "b"', ["a", "b"]],
  ["'unclosed", []],
])("in %j these texts are quoted: %j", (program, texts) => expect(quotedTexts(program)).toEqual(texts));

test("five hundred quoted texts are looked at", () => {
  expect(quotedTexts("'a' ".repeat(1_000))).toHaveLength(500);
});

test("of the texts of a program, a path from the root is joined to none, and of very many not all are joined", () => {
  expect(namedInCode("f('docs', '/x.txt', '~/y.txt')").paths).toEqual(["docs", "/x.txt", "~/y.txt"]);
  const many = Array.from({ length: 200 }, (_, at) => `'d${at}'`).join(", ");
  expect(namedInCode(`f(${many})`).paths.length).toBeLessThan(250);
});

test("without a folder, a path is only made plain", () => {
  expect(pathInside("a/../b", undefined)).toBe("b");
});
