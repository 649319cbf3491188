import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { compileLazily } from "./argument-pattern";
import { requiredTexts } from "./required-texts";

test.each<[pattern: string, texts: string[] | null]>([
  ["^ls", ["ls"]],
  ["^(ls|cat|grep)(\\s|$)", ["ls", "cat", "grep"]],
  ["git push.*--force", ["git push"]],
  ["\\.md$", [".md"]],
  ["^drafts/[a-z]+\\.txt$", ["drafts/"]],
  ["(?:secret)+x", ["secret"]],
  ["ab?c", ["a"]],
  ["a+b", ["a"]],
  ["(a|)", null],
  ["a|b*", null],
  [".*", null],
  ["(?i)secret", null],
  ["x{2,3}", null],
  ["a**", null],
  ["(a", null],
  ["a)", null],
  ["[z-a]b", null],
  ["\\pL", null],
  ["ä", null],
  ["", null],
  [`${"(".repeat(20)}a${")".repeat(20)}`, ["a"]],
  [`${"(".repeat(21)}a${")".repeat(21)}`, null],
  ["(?<n>a)b", null],
  ["(?i)ab", null],
  ["ab[cd]e", ["ab"]],
  ["ab[\\d.]", ["ab"]],
  ["ab[\\q]", null],
  ["[é]b[ab]", null],
  ["(a|.)bc", ["bc"]],
  ["(a|.|b)c", ["c"]],
  ["((a)", null],
  ["(a", null],
  ["a\\", null],
  ["[ab", null],
  ["ab+c", ["ab"]],
  ["a?bc*d", ["b"]],
  ["(ab|cde)f", ["ab", "cde"]],
  ["(ab|cde)fgh", ["fgh"]],
  ["(ab)+c", ["ab"]],
  ["(abc)?d", ["d"]],
  ["a\\bc", ["ac"]],
  ["x[^/]y+?z", ["x"]],
  ["\\.git\\/", [".git/"]],
  ["a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p", [..."abcdefghijklmnop"]],
  ["a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q", null],
])("of the pattern %j one of these must be there: %j", (pattern, texts) => {
  expect(requiredTexts(pattern)).toEqual(texts);
});

const pieces = fc.constantFrom(
  ..."abc(|)*+?.^$[]\\{}-".split(""),
  "(?:",
  "[a-c]",
  "[^ab]",
  "\\s",
  "\\b",
  "\\.",
  "ab",
  "(a|b)",
  "c+",
  "a?",
  "x{2}",
  "(?i)",
  "é",
);

test("an answer means that the pattern is valid, and a text without any of them is never matched", () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join("")),
      fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c", ".", " ", "\n"), maxLength: 8 }), { minLength: 5, maxLength: 5 }),
      (pattern, texts) => {
        if (requiredTexts(pattern) === null) return;
        const engine = RE2JS.compile(pattern);
        const lazy = compileLazily(pattern);
        if (!lazy.ok) throw new Error(`${pattern} is valid`);
        for (const text of texts) {
          expect(lazy.pattern.isFoundIn(text), `${pattern} in ${JSON.stringify(text)}`).toBe(engine.test(text));
        }
      },
    ),
    { numRuns: 5_000 },
  );
});
