import { describe, expect, test } from "vitest";
import { callOf, mcpTool, readTool, shellTool } from "@/server/testing/guarded-calls";
import { seenText, seenTexts } from "./seen-text";

describe("what a rule's pattern sees of a call", () => {
  const note = callOf(mcpTool, { title: "b", tags: ["x", 1], body: { text: "a" } });

  test("is the argument that it names, texts as they are and other values as canonical JSON", () => {
    expect(seenText(note, "title")).toBe("b");
    expect(seenText(note, "tags")).toBe('["x",1]');
    expect(seenText(note, "/body/text")).toBe("a");
  });
  test("is the tool's primary argument where it names none", () => {
    expect(seenText(callOf(readTool, { path: "a.md", limit: 5 }), null)).toBe("a.md");
  });
  test("is all arguments where the tool has no primary one", () => {
    expect(seenText(note, null)).toBe('{"body":{"text":"a"},"tags":["x",1],"title":"b"}');
  });
  test("is each of several values on a line of its own", () => {
    expect(seenText(note, "/tags/*")).toBe("x\n1");
  });
  test("is nothing where the argument is missing, and why is told", () => {
    expect(seenText(note, "owner")).toBe("");
    expect(seenTexts(note, "owner")).toEqual({ missing: "the call has no argument `owner`" });
  });
});

test.each([
  [null, ["command"]],
  ["command", ["command"]],
  ["/command", ["command"]],
  ["cwd", ["cwd"]],
  ["/options/command", ["options", "command"]],
])("a text is seen with the way to it, however its argument is named: %s", (parameter, path) => {
  const call = callOf(shellTool, { command: "ls", cwd: "ls", options: { command: "ls" } });
  expect(seenTexts(call, parameter)).toEqual({ texts: [{ text: "ls", path }] });
});
test("no way leads to all arguments together", () => {
  expect(seenTexts(callOf(mcpTool, {}), null)).toEqual({ texts: [{ text: "{}", path: [] }] });
});
