import { describe, expect, test } from "vitest";
import { buildRequest, mcpTool, readTool, shellTool } from "@/server/testing/guarded-calls";
import { patternSubjects, patternSubjectText } from "./pattern-subject";

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
    expect(patternSubjects(note, "owner")).toEqual({ missing: "the call has no argument `owner`" });
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
  expect(patternSubjects(call, parameter)).toEqual({ texts: [{ text: "ls", path }] });
});
test("no way leads to all arguments together", () => {
  expect(patternSubjects(buildRequest(mcpTool, {}), null)).toEqual({ texts: [{ text: "{}", path: [] }] });
});
