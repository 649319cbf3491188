import { expect, test } from "vitest";
import { quotedTexts } from "./quoted-texts";

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
])("in %j these texts are quoted: %j", (program, texts) => {
  expect(quotedTexts(program)).toEqual(texts);
});

test("five hundred quoted texts are looked at", () => {
  expect(quotedTexts("'a' ".repeat(1_000))).toHaveLength(500);
});
