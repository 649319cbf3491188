import { expect, test } from "vitest";
import { syntaxNote } from "./syntax-note";

test.each([
  ["a.json", '{"a": 1,}'],
  ["tsconfig.json", '// why\n{"a": 1}'],
  ["a.yaml", "a: 1\nb: [1, 2]\n"],
  ["a.yml", `${Array.from({ length: 30 }, (_, at) => `a${at}: &a${at} [${at === 0 ? "x" : `*a${at - 1}, *a${at - 1}`}]`).join("\n")}\n`],
  ["a.txt", '{"a": '],
  ["constructor", "{"],
  ["a.json", `{${" ".repeat(300_000)}`],
])("%s is written without a note", (path, text) => {
  expect(syntaxNote(path, text)).toBe("");
});

test.each([
  ["a.json", '{"a" 1}', "a.json is not JSON: at line 1, column 6, a colon is missing"],
  ["A.JSON", "{", "is not JSON"],
  ["a.yaml", "a: 1\n b: 2\n", "at line"],
  ["a.yml", "a: [1\nb: 2", "at line"],
])("the broken syntax of %s is reported", (path, text, problem) => {
  expect(syntaxNote(path, Buffer.from(text))).toContain("its syntax is broken: ");
  expect(syntaxNote(path, text)).toContain(problem);
});
