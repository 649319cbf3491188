import { describe, expect, test } from "vitest";
import { compilePattern } from "@/server/guard/matching/argument-pattern";
import { openPattern, type PatternText } from "./open-patterns";

describe("an open pattern is closed behind its last word", () => {
  test.each<[string, string, PatternText]>([
    ["^git log", "^git log(?: |$)", "command"],
    ["^npm test", "^npm test(?: |$)", "command"],
    ["^git log\\b", "^git log(?: |$)", "command"],
    ["^(ls|cat)", "^(ls|cat)(?: |$)", "command"],
    ["^(?:git log|git diff)", "^(?:git log|git diff)(?: |$)", "command"],
    ["^git log|^git diff", "(?:^git log|^git diff)(?: |$)", "command"],
    ["^npm run [a-z]+", "^npm run [a-z]+(?: |$)", "command"],
    ["^npm run \\w+", "^npm run \\w+(?: |$)", "command"],
    ["^git( -P)? log", "^git( -P)? log(?: |$)", "command"],
    ["^git log( -1)?", "^git log( -1)?(?: |$)", "command"],
    ["(?i)^git log", "(?i)^git log(?: |$)", "command"],
    ["^docs", "^docs(?:/|$)", "path"],
    ["^docs/public", "^docs/public(?:/|$)", "path"],
    ["^api\\.example\\.com", "^api\\.example\\.com(?::\\d+)?$", "host"],
    ["api\\.example\\.com", "^api\\.example\\.com(?::\\d+)?$", "host"],
    ["api\\.example\\.com$", "^api\\.example\\.com$", "host"],
    ["^https://api\\.example\\.com", "^https://api\\.example\\.com(?:[/?#]|$)", "url"],
  ])("%s: %s", (pattern, closed, text) => {
    expect(openPattern(pattern, text)).toEqual({ closed });
    expect(compilePattern(closed).ok).toBe(true);
    expect(openPattern(closed, text)).toBeNull();
  });

  test.each<[string, PatternText]>([
    ["^git log(?: |$)", "command"],
    ["^git log$", "command"],
    ["^git log .*", "command"],
    ["^git log( .*)?$", "command"],
    ["^git log ", "command"],
    ["^npm run build:", "command"],
    [".*", "command"],
    ["^git \\S+", "command"],
    ["^docs/", "path"],
    ["\\.md$", "path"],
    ["^docs/[^/]+$", "path"],
    ["^api\\.example\\.com$", "host"],
    ["^([^.]+\\.)*example\\.com(:443)?$", "host"],
    ["^https://api\\.example\\.com/", "url"],
    ["^(git", "command"],
  ])("%s is not open", (pattern, text) => {
    expect(openPattern(pattern, text)).toBeNull();
  });

  test("a pattern of which one part must go on is open, and no certain closed one is named", () => {
    expect(openPattern("^git log|^npm run ", "command")).toEqual({ closed: null });
  });

  test("the closed pattern covers the words and nothing longer", () => {
    const matches = (pattern: string, text: string) => {
      const compiled = compilePattern(openPattern(pattern, "command")?.closed ?? pattern);
      return compiled.ok && compiled.pattern.isFoundIn(text);
    };
    for (const pattern of ["^git log", "^git log\\b", "^(git log|git diff)"]) {
      expect(matches(pattern, "git log")).toBe(true);
      expect(matches(pattern, "git log -1")).toBe(true);
      expect(matches(pattern, "git logout")).toBe(false);
      expect(matches(pattern, "git log-tree")).toBe(false);
    }
  });
});
