import { expect, test } from "vitest";
import { globMatcher } from "./glob";

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/deep/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["*.TS", "a.ts", false],
  ["a.ts", "xa.ts", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/deep/a.ts", false],
  ["src/*.ts", "other/src/a.ts", false],
  ["src/**", "src/deep/er/a.ts", true],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/deep/er/a.ts", true],
  ["**/a.ts", "a.ts", true],
  ["**/a.ts", "x/y/a.ts", true],
  ["**/test/*", "x/test/y", true],
  ["./src/*.ts", "src/a.ts", true],
  ["/src/*.ts", "src/a.ts", true],
  ["*.{ts,tsx}", "a.tsx", true],
  ["*.{ts,tsx}", "a.js", false],
  ["{a,b/{c,d}}/x", "b/d/x", true],
  ["a,b", "a,b", true],
  ["?.ts", "a.ts", true],
  ["?.ts", "ab.ts", false],
  ["[a-c].ts", "b.ts", true],
  ["[!a-c].ts", "b.ts", false],
  ["[!a-c].ts", "d.ts", true],
  ["[]].ts", "].ts", true],
  ["[.ts", "[.ts", true],
  ["a+b(c).ts", "a+b(c).ts", true],
  ["a.c", "abc", false],
  ["\\d", "1", false],
  ["*", ".hidden", true],
  ["}", "}", true],
])("%s and %s: %s", (glob, path, expected) => {
  expect(globMatcher(glob)(path)).toBe(expected);
});

test("a glob made to take forever does not", () => {
  const matches = globMatcher(`${"*a".repeat(60)}*b`);
  expect(matches("a".repeat(250))).toBe(false);
  expect(globMatcher("**/".repeat(100))("a/".repeat(100))).toBe(true);
});

test("a glob that cannot be read is refused with an example", () => {
  expect(() => globMatcher("{a,b")).toThrow("*.ts");
  expect(() => globMatcher("[z-a]")).toThrow("*.ts");
  expect(() => globMatcher("x".repeat(501))).toThrow("longer than 500");
});
