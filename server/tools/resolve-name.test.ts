import { describe, expect, test } from "vitest";
import { nameIndex, repairName } from "./resolve-name";

test.each([
  ["WebSearch", "web_search"],
  ["web-search", "web_search"],
  ["web_search_tool", "web_search"],
  ["Web Search", "web_search"],
  ["Read_File", "read_file"],
  ["ReadFileTool", "read_file"],
  ["fs__read_file", "fs_read_file"],
  ["__proto__", "proto"],
])("the spelling %s is repaired to %s", (spelling, repaired) => {
  expect(repairName(spelling)).toBe(repaired);
});

describe("a tool is found", () => {
  const find = nameIndex([
    { name: "read_file", aliases: ["ReadFileTool", "cat"] },
    { name: "shell_execute", aliases: ["bash", "terminal"] },
    { name: "fs__read_file", aliases: [] },
  ]);
  test.each([
    ["read_file", "read_file"],
    ["Read_File", "read_file"],
    ["cat", "read_file"],
    ["Bash", "shell_execute"],
    ["fs__read_file", "fs__read_file"],
    ["fs-read-file", "fs__read_file"],
  ])("as %s", (requested, name) => {
    expect(find(requested)?.name).toBe(name);
  });

  test.each([
    ["functions.read_file", "read_file"],
    ["default_api:Read_File", "read_file"],
    ["tools.fs__read_file", "fs__read_file"],
  ])("as %s, with the namespace of another provider", (requested, name) => {
    expect(find(requested)?.name).toBe(name);
  });

  test("of a server with the alias `tools` before a tool without one", () => {
    const known = nameIndex([
      { name: "delete_item", aliases: [] },
      { name: "tools__delete_item", aliases: [] },
    ]);
    expect(known("tools.delete_item")?.name).toBe("tools__delete_item");
    expect(known("functions.delete_item")?.name).toBe("delete_item");
  });

  test.each(["constructor", "__proto__", "toString", "", "_", "read"])("never as %j", (requested) => {
    expect(find(requested)).toBeUndefined();
  });
});

test("of two tools with one normalised spelling the more similar one is found", () => {
  const find = nameIndex([
    { name: "echo__Delete-Item", aliases: [] },
    { name: "echo__delete_item", aliases: [] },
  ]);
  expect(find("echo.delete_item")?.name).toBe("echo__delete_item");
  expect(find("echo.Delete-Item")?.name).toBe("echo__Delete-Item");
});

test("an HTTP tool with the spelling of a built-in tool is not found by it", () => {
  const find = nameIndex([
    { name: "ReadFile", aliases: [], source: "http" },
    { name: "read_file", aliases: [], source: "builtin" },
  ]);
  expect(find("ReadFile")?.name).toBe("read_file");
});
