import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { compileLazily } from "./argument-pattern";
import { foldCase, requiredTexts } from "./required-texts";

test.each<[pattern: string, texts: string[] | null]>([
  ["^ls", ["ls"]],
  ["^(ls|cat|grep)(\\s|$)", ["ls", "cat", "grep"]],
  ["git push.*--force", ["git push"]],
  ["\\.md$", [".md"]],
  ["^drafts/[a-z]+\\.txt$", ["drafts/"]],
  ["(?:secret)+x", ["secretx"]],
  ["ab?c", ["abc", "ac"]],
  ["a+b", ["ab"]],
  ["(a|)", null],
  ["a|b*", null],
  [".*", null],
  ["a**", null],
  ["(a", null],
  ["a)", null],
  ["[z-a]b", null],
  ["\\pL", null],
  ["ä", null],
  ["äbc", ["bc"]],
  ["😀+bc", ["bc"]],
  ["", null],
  ["(a|b)+-area-7", ["a-area-7", "b-area-7"]],
  ["tool-7 (a|b)+$", ["tool-7 a", "tool-7 b"]],
  ["x(a|)y", ["xay", "xy"]],
  ["[Rr]m -rf", ["Rm -rf", "rm -rf"]],
  ["[^ab]cd", ["cd"]],
  ["x{2,3}y", ["xy"]],
  ["ab{0,1}c", ["abc", "ac"]],
  ["ab{0}c", ["a"]],
  ["id-7-[0-9]{4}", ["id-7-"]],
  ["ab{1000}", null],
  ["ab{3,2}", null],
  ["(a{2}b){2}", null],
  ["a{2}{3}", null],
  ["ab{,2}", null],
  ["(?-i)ab", null],
  ["(?s)ab.c", ["ab"]],
  ["(?m:^ab)$", ["ab"]],
  [`${"(".repeat(20)}a${")".repeat(20)}`, ["a"]],
  [`${"(".repeat(21)}a${")".repeat(21)}`, null],
  ["(?<n>a)b", null],
  ["ab[cd]e", ["abce", "abde"]],
  ["ab[\\d.]", ["ab"]],
  ["ab[\\q]", null],
  ["[é]b[ab]", null],
  ["(a|.)bc", ["bc"]],
  ["(a|.|b)c", ["c"]],
  ["((a)", null],
  ["(a", null],
  ["a\\", null],
  [`(aa|bb)${"x".repeat(79)}`, [`aa${"x".repeat(40)}`, `bb${"x".repeat(40)}`]],
  ["[ab", null],
  ["ab+c", ["ab"]],
  ["ab+cd", ["bcd"]],
  ["a?bc*d", ["b"]],
  ["(ab|cde)f", ["abf", "cdef"]],
  ["(ab|cde)fgh", ["abfgh", "cdefgh"]],
  ["(ab)+c", ["abc"]],
  ["(abc)?d", ["d"]],
  ["a\\bc", ["ac"]],
  ["x[^/]y+?z", ["yz"]],
  ["\\.git\\/", [".git/"]],
  ["a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p", [..."abcdefghijklmnop"]],
  ["a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q", null],
  ["a\\", null],
  [`(aa|bb)${"x".repeat(79)}`, [`aa${"x".repeat(40)}`, `bb${"x".repeat(40)}`]],
  ["a\u0001", null],
  ["a\ud800", null],
  ["a\u{1f600}bc", ["bc"]],
  ["(?s)ab", ["ab"]],
])("of the pattern %j one of these must be there: %j", (pattern, texts) => {
  expect(requiredTexts(pattern)).toEqual(texts && { texts, isFolded: false });
});

test.each<[pattern: string, texts: string[] | null]>([
  ["(?i)Secret", ["secret"]],
  ["(?i)^(DROP|delete) table_7\\b", ["drop table_7", "delete table_7"]],
  ["^Git (?i:Push|push) x", ["git push x"]],
  ["(?is)a.bc", ["bc"]],
  ["(?i-s)ab", ["ab"]],
  ["(?i)[AB]c", ["ac", "bc"]],
  ["(?i)*ab", null],
  ["(?i", null],
  ["(?x)ab", null],
])("of the pattern %j, which ignores case, one of these must be there in lower case: %j", (pattern, texts) => {
  expect(requiredTexts(pattern)).toEqual(texts && { texts, isFolded: true });
});

test("every character that RE2 takes for an ASCII letter where case is ignored is folded to that letter", () => {
  let compared = 0;
  for (const letter of "abcdefghijklmnopqrstuvwxyz") {
    const pattern = RE2JS.compile(`(?i)^${letter}$`);
    for (let point = 0; point <= 0xffff; point += 1) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCharCode(point);
      if (foldCase(character).includes(letter) || !pattern.test(character)) continue;
      throw new Error(`U+${point.toString(16)} is taken for ${letter} and is not folded to it`);
    }
    compared += 1;
  }
  expect(compared).toBe(26);
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
  "(?i:",
  "(?is)",
  "(?s-i:",
  "{2}",
  "{0,1}",
  "{2,}",
  "[Ab]",
  "A",
  "K",
  "s",
  "S",
  "é",
);

test("an answer means that the pattern is valid, and a text without any of them is never matched", () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join("")),
      fc.array(
        fc.string({ unit: fc.constantFrom("a", "b", "c", "A", "B", "k", "s", "S", "\u017f", "\u212a", ".", " ", "\n"), maxLength: 8 }),
        { minLength: 5, maxLength: 5 },
      ),
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
