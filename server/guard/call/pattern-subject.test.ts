import { describe, expect, test } from "vitest";
import type { Verdict } from "@/contracts/decisions/decision";
import { buildRequest, mcpTool, policyOfRules, readTool, shellTool } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";
import { patternSubjects, patternSubjectText } from "./pattern-subject";

const denies = { isAllow: false };

describe("what a rule's pattern sees of a call", () => {
  const note = buildRequest(mcpTool, { title: "b", tags: ["x", 1], body: { text: "a" } });

  test("is the argument that it names, texts as they are and other values as canonical JSON", () => {
    expect(patternSubjectText(note, "title")).toBe("b");
    expect(patternSubjectText(note, "tags")).toBe('["x",1]');
    expect(patternSubjectText(note, "/body/text")).toBe("a");
  });
  test("is the tool's primary argument where it names none", () => {
    expect(patternSubjectText(buildRequest(readTool, { path: "a.md", limit: 5 }), null)).toBe("a.md");
  });
  test("is all arguments where the tool has no primary one", () => {
    expect(patternSubjectText(note, null)).toBe('{"body":{"text":"a"},"tags":["x",1],"title":"b"}');
  });
  test("is each of several values on a line of its own", () => {
    expect(patternSubjectText(note, "/tags/*")).toBe("x\n1");
  });
  test("is nothing where the argument is missing, and why is told", () => {
    expect(patternSubjectText(note, "owner")).toBe("");
    expect(patternSubjects(note, "owner", denies)).toEqual({ missing: "the call has no argument `owner`" });
  });
});

test.each([
  [null, ["command"]],
  ["command", ["command"]],
  ["/command", ["command"]],
  ["cwd", ["cwd"]],
  ["/options/command", ["options", "command"]],
])("a text is seen with the way to it, however its argument is named: %s", (parameter, path) => {
  const call = buildRequest(shellTool, { command: "ls", cwd: "ls", options: { command: "ls" } });
  expect(patternSubjects(call, parameter, denies)).toEqual({ texts: [{ text: "ls", path }] });
});
test("no way leads to all arguments together", () => {
  expect(patternSubjects(buildRequest(mcpTool, {}), null, denies)).toEqual({ texts: [{ text: "{}", path: [] }] });
});

const verdictOf = (verdict: Verdict, pattern: string, path: string | string[]) => {
  const policy = policyOfRules([{ tool: mcpTool.name, parameter: "path", pattern, verdict }], { defaultPolicy: "require_approval" });
  return decide(policy, buildRequest(mcpTool, { path })).verdict;
};

test.each<[pattern: string, path: string | string[], expected: Verdict]>([
  ["^secrets/", "secrets/key", "deny"],
  ["^secrets/", ["a.txt", "secrets/key"], "deny"],
  ["^secrets/", ["a.txt", "b.txt"], "require_approval"],
  ['^\\["a.txt"', ["a.txt", "b.txt"], "deny"],
  ["^secrets/", Array(2_000).fill("a.txt"), "deny"],
])("a rule that denies %j sees each text of %.60j", (pattern, path, expected) => expect(verdictOf("deny", pattern, path)).toBe(expected));

test("a rule that allows sees a list as one text, so that no entry is allowed by another one", () => {
  expect(verdictOf("allow", "^docs/", "docs/a.md")).toBe("allow");
  expect(verdictOf("allow", "^docs/", ["docs/a.md", "/etc/passwd"])).toBe("require_approval");
  expect(verdictOf("allow", '^\\["docs/a.md"\\]$', ["docs/a.md"])).toBe("allow");
});
