import { expect, test } from "vitest";
import { compilePattern } from "./argument-pattern";

test.each([
  ["(a", 0, "close this parenthesis"],
  ["a(b(c)", 1, "close this parenthesis"],
  ["\\((a", 2, "close this parenthesis"],
  ["[(](a", 3, "close this parenthesis"],
  ["a)b", 1, "nothing is open here"],
  ["ab[c", 2, "close this bracket"],
  ["a**", 1, "use one repetition"],
  ["*a", 0, "nothing here to repeat"],
  ["a(?=b)", 1, "looking ahead and behind is not available"],
  ["(?!a)", 0, "looking ahead and behind is not available"],
  ["a(?<=b)c", 1, "looking behind is not available"],
  ["(a)\\1", 3, "back-references"],
  ["a\\q", 1, "this escape does not exist"],
  ["a\\", 1, "for a backslash"],
  ["[z-a]", 1, "lower to its higher end"],
  ["a{2000}", 1, "counts to 1000 at most"],
  ["x\\p{Foo}", 1, "a class that exists"],
])("%s cannot be used, and says where and what to do", (source, index, advice) => {
  const compiled = compilePattern(source);
  expect(compiled).toMatchObject({ ok: false, error: { index, message: expect.stringContaining(advice) } });
});

test("a mistake that could be in two places names none", () => {
  expect(compilePattern("a**b**")).toMatchObject({ ok: false, error: { index: null } });
});

test.each(["^(ls|cat)\\b", "(?i)ls", "(?P<name>a)", "\\d{1,1000}", "[[:alpha:]]+", "日本", "(?m)^x$", "a|"])("%s can be used", (source) => {
  expect(compilePattern(source).ok).toBe(true);
});

test("a pattern that would take other engines forever takes a moment", () => {
  const compiled = compilePattern("^(a+)+$");
  if (!compiled.ok) throw new Error(compiled.error.message);
  const started = performance.now();
  expect(compiled.pattern.isFoundIn(`${"a".repeat(100_000)}b`)).toBe(false);
  expect(compiled.pattern.lengthAtStart(`${"a".repeat(100_000)}b`)).toBeNull();
  expect(performance.now() - started).toBeLessThan(2_000);
});
