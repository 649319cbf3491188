import { describe, expect, test } from "vitest";
import { describePattern } from "./describe-pattern";

describe("a pattern in plain words", () => {
  test.each([
    ["^(ls|cat|grep|find)\\b", "starts with ls, cat, grep or find"],
    ["^(?:ls|cat)\\s", "starts with ls or cat"],
    ["^(ls|cat|grep|find)( |$)", "starts with ls, cat, grep or find"],
    ["^git push", "starts with git push"],
    ["^git (push|pull)\\b", "starts with git push or git pull"],
    ["^ls\\b", "starts with ls"],
    ["^ls$", "is ls"],
    ["\\.md$", "ends with .md"],
    ["\\.(md|txt)$", "ends with .md or .txt"],
    ["(?i)drop table", "contains drop table, in upper or lower case"],
    ["secrets/", "contains secrets/"],
    ["a\\$$", "ends with a$"],
  ])("%s reads: %s", (pattern, words) => {
    expect(describePattern(pattern)).toBe(words);
  });

  test.each([
    ["^\\d+$"],
    [".*"],
    ["a+"],
    ["^(ls|cat).*$"],
    ["(a|b)(c|d)"],
    ["["],
    [""],
    ["^"],
    ["(|a)"],
    ["^[a-z]"],
    ["a|b"],
    ["ls\\b"],
    ["\\"],
  ])("%s is left to speak for itself", (pattern) => {
    expect(describePattern(pattern)).toBeNull();
  });
});
