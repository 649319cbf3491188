import { describe, expect, test } from "vitest";
import { argumentsToShow } from "./arguments-to-show";

describe("arguments readable at a glance", () => {
  test("a command is shown as a command, before its options", () => {
    expect(argumentsToShow({ timeoutSeconds: 30, command: "rm -r build" }, "command")).toEqual([
      { kind: "command", name: "command", text: "rm -r build" },
      { kind: "value", name: "timeoutSeconds", text: "30" },
    ]);
  });

  test("a file write is its path, then its text with lines and bytes", () => {
    expect(argumentsToShow({ content: "größe\nzwei\n", path: "notes/a.md" }, "path")).toEqual([
      { kind: "value", name: "path", text: "notes/a.md" },
      { kind: "text", name: "content", text: "größe\nzwei\n", lines: 2, bytes: 13 },
    ]);
  });

  test("an empty file is a text of no lines", () => {
    expect(argumentsToShow({ path: "a", content: "" }, "path")[1]).toEqual({ kind: "text", name: "content", text: "", lines: 0, bytes: 0 });
  });

  test("a structure is indented, a small flat one stays on its line", () => {
    expect(argumentsToShow({ edits: [{ oldText: "a", newText: "b" }], tags: ["x", "y"] }, null)).toEqual([
      { kind: "value", name: "tags", text: '["x","y"]' },
      { kind: "json", name: "edits", text: '[\n  {\n    "oldText": "a",\n    "newText": "b"\n  }\n]' },
    ]);
  });

  test("false, 0 and null are values, not gaps", () => {
    expect(argumentsToShow({ a: false, b: 0, c: null, d: "" }, null)).toEqual([
      { kind: "value", name: "a", text: "false" },
      { kind: "value", name: "b", text: "0" },
      { kind: "value", name: "c", text: "null" },
      { kind: "value", name: "d", text: "" },
    ]);
  });

  test("a long string is a text whatever its name", () => {
    expect(argumentsToShow({ note: "x".repeat(121) }, null)[0]).toMatchObject({ kind: "text", lines: 1, bytes: 121 });
  });

  test("a call without arguments has none to show", () => {
    expect(argumentsToShow({}, "command")).toEqual([]);
  });

  test("names that live on every object are arguments like others", () => {
    expect(argumentsToShow({ constructor: "x", toString: "y" }, null).map(({ name }) => name)).toEqual(["constructor", "toString"]);
  });
});
