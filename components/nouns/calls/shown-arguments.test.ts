import { describe, expect, test } from "vitest";
import { toShownArguments } from "./shown-arguments";

describe("arguments readable at a glance", () => {
  test("a command is shown as a command, before its options", () => {
    expect(toShownArguments({ timeoutSeconds: 30, command: "rm -r build" }, "command")).toEqual([
      { kind: "command", name: "command", text: "rm -r build", isDefault: false },
      { kind: "value", name: "timeoutSeconds", text: "30", isDefault: false },
    ]);
  });

  test("a file write is its path, then its text with lines and bytes", () => {
    expect(toShownArguments({ content: "größe\nzwei\n", path: "notes/a.md" }, "path")).toEqual([
      { kind: "value", name: "path", text: "notes/a.md", isDefault: false },
      { kind: "text", name: "content", text: "größe\nzwei\n", lines: 2, bytes: 13, isDefault: false },
    ]);
  });

  test("an empty file is a text of no lines", () => {
    expect(toShownArguments({ path: "a", content: "" }, "path")[1]).toMatchObject({ kind: "text", name: "content", lines: 0, bytes: 0 });
  });

  test("an edit is one thing: the text and what takes its place", () => {
    expect(toShownArguments({ newText: "b", oldText: "a", path: "x" }, "path")).toEqual([
      { kind: "value", name: "path", text: "x", isDefault: false },
      { kind: "edit", name: "oldText", before: "a", after: "b", isDefault: false },
    ]);
  });

  test("a request is its method and address, whatever order the database gives", () => {
    expect(toShownArguments({ body: { a: [1] }, method: "post", url: "https://example.com/x" }, "url")).toEqual([
      { kind: "request", name: "url", method: "POST", text: "https://example.com/x", isDefault: false },
      { kind: "json", name: "body", value: { a: [1] }, isDefault: false },
    ]);
  });

  test("the order is the schema's, and what has its default is told to be so", () => {
    const schema = { type: "object", properties: { from: { type: "string" }, to: { type: "string" }, depth: { default: 1 } } };
    const shown = toShownArguments({ depth: 1, to: "b", from: "a" }, null, schema);
    expect(shown.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ["from", false],
      ["to", false],
      ["depth", true],
    ]);
  });

  test("required parameters come first, because the database keeps the order of lists only", () => {
    const schema = { properties: { mode: {}, path: {}, target: {} }, required: ["target", "path"] };
    expect(toShownArguments({ mode: "a", path: "b", target: "c" }, null, schema).map(({ name }) => name)).toEqual([
      "target",
      "path",
      "mode",
    ]);
  });

  test("a structure is a tree, a small flat one stays on its line", () => {
    expect(toShownArguments({ edits: [{ from: "a", to: "b" }], tags: ["x", "y"] }, null)).toEqual([
      { kind: "value", name: "tags", text: '["x","y"]', isDefault: false },
      { kind: "json", name: "edits", value: [{ from: "a", to: "b" }], isDefault: false },
    ]);
  });

  test("false, 0 and null are values, not gaps", () => {
    expect(toShownArguments({ a: false, b: 0, c: null, d: "" }, null)).toMatchObject([
      { kind: "value", name: "a", text: "false" },
      { kind: "value", name: "b", text: "0" },
      { kind: "value", name: "c", text: "null" },
      { kind: "value", name: "d", text: "" },
    ]);
  });

  test("a long string is a text whatever its name", () => {
    expect(toShownArguments({ note: "x".repeat(121) }, null)[0]).toMatchObject({ kind: "text", lines: 1, bytes: 121 });
  });

  test("a call without arguments has none to show", () => {
    expect(toShownArguments({}, "command")).toEqual([]);
  });

  test("names that live on every object are arguments like others", () => {
    expect(toShownArguments({ constructor: "x", toString: "y" }, null).map(({ name }) => name)).toEqual(["constructor", "toString"]);
  });
});
