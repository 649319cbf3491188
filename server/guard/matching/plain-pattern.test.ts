import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { plainPattern } from "./plain-pattern";

const characters = fc.constantFrom("a", "b", "/", "\\.", "\\$", "\\\\", "-", " ", "$", "^", "'");
const sources = fc
  .tuple(fc.constantFrom("", "^"), fc.array(characters, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "$"))
  .map((parts) => parts.flat().join(""));
const texts = fc
  .array(fc.constantFrom("a", "b", "/", ".", "$", "\\", "-", " ", "\n", "ab", "^", "'"), { maxLength: 4 })
  .map((parts) => parts.join(""));

test("a plain pattern is found where the engine finds it", () => {
  fc.assert(
    fc.property(sources, texts, (source, text) => {
      const plain = plainPattern(source);
      if (plain === null) return;
      expect(plain.isFoundIn(text), source).toBe(RE2JS.compile(source).test(text));
      const matcher = RE2JS.compile(source, RE2JS.LONGEST_MATCH).matcher(text);
      expect(plain.lengthAtStart(text), source).toBe(matcher.lookingAt() ? matcher.end() : null);
    }),
    { numRuns: 5_000 },
  );
});

test.each(["^drafts/", "\\.md$", "rm -rf", "^ls$", "a=b"])("%s is plain", (source) => expect(plainPattern(source)).not.toBeNull());

test.each(["", "^", "$", "a.b", "a|b", "(a)", "a*", "[a]", "a\\b", "\\d", "a$b", "ä", "a\\"])("%s is not", (source) => {
  expect(plainPattern(source)).toBeNull();
});
