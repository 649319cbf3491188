import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { ruleFromCall } from "./rule-from-call";

test("a rule made from a call matches this call and no other", () => {
  const seen = "cat a.txt | grep '^[x]$' (1+1)";
  const { pattern, verdict, name } = ruleFromCall({ tool: "shell_execute", seen, verdict: "require_approval" });
  const matcher = RE2JS.compile(pattern ?? "");
  expect(matcher.matcher(seen).find()).toBe(true);
  expect(matcher.matcher(`${seen}; rm a`).find()).toBe(false);
  expect([name, verdict]).toEqual([`shell_execute: ${seen}`, "allow"]);
});

test("a call that passes gets a rule that asks, with a name that fits", () => {
  const start = ruleFromCall({ tool: "write_file", seen: "a".repeat(300), verdict: "allow" });
  expect(start.verdict).toBe("require_approval");
  expect(start.name).toHaveLength(120);
});

test("a text of several lines is one pattern, and one that no pattern holds is never allowed", () => {
  const seen = "ls\npwd";
  const { pattern = "" } = ruleFromCall({ tool: "shell_execute", seen, verdict: "deny" });
  expect(pattern).toBe("^ls\\npwd$");
  expect(RE2JS.compile(pattern).matcher(seen).find()).toBe(true);
  const long = ruleFromCall({ tool: "shell_execute", seen: "a".repeat(2_000), verdict: "require_approval" });
  expect(long).toMatchObject({ pattern: "", verdict: "require_approval" });
});

test("the closed pattern of a recorded call is taken before its exact text", () => {
  const start = { tool: "shell_execute", seen: "git push origin main", verdict: "require_approval", pattern: "^git push(?: |$)" } as const;
  expect(ruleFromCall(start)).toMatchObject({ pattern: "^git push(?: |$)", verdict: "allow", name: "shell_execute: git push origin main" });
});

test("a call whose text held secrets gets no pattern of them, and is never allowed by it", () => {
  const masked = ruleFromCall({ tool: "url_fetch", seen: null, verdict: "require_approval", pattern: null });
  expect(masked).toMatchObject({ name: "url_fetch", pattern: "", verdict: "require_approval" });
});
