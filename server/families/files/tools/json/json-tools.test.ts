import "@/server/testing/builtin-tools";
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { jsonRead } from "./json-read";
import { jsonWrite } from "./json-write";

function workspace(content: string | null) {
  const root = temporaryFolder();
  const file = path.join(root, "a.json");
  if (content !== null) writeFileSync(file, content);
  const given = { files: workspaceFiles(root) };
  return {
    file,
    read: (args: JsonObject = {}) => runTool(jsonRead, { path: "a.json", ...args }, given) as Promise<string>,
    write: (args: JsonObject) => runTool(jsonWrite, { path: "a.json", ...args }, given) as Promise<string>,
    text: () => readFileSync(file, "utf8"),
  };
}

const config = `{
  // who we are
  "name": "x\\"y",
  "id": 12345678901234567890.10,
  "users": [{ "a.b": 1 }, { "a/b": [true, null] },],
  "empty": {}
}
`;

describe("json_read", () => {
  test.each([
    ["/name", '"x\\"y"'],
    ["id", "12345678901234567890.10"],
    ["$.users[1]", '{ "a/b": [true, null] }'],
    ["/users/1/a~1b/1", "null"],
    ['users[0]["a.b"]', "1"],
    ["", config.trim()],
    [".", config.trim()],
    ["empty", "{}"],
  ])("returns %s as written", async (pointer, expected) => {
    expect(await workspace(config).read({ pointer })).toBe(expected);
  });

  test.each([
    ["/users/2", "is a list of 2, so it has no element 2"],
    ["/nam", "The document in a.json has no member nam. It has name, id, users, empty."],
    ["/name/x", "/name in a.json is a text, so it has no member x"],
    ["/__proto__", "has no member __proto__"],
    ["users[", "cannot be read at `[`"],
    ["/x".repeat(101), "at most 100"],
  ])("says what there is instead of %s", async (pointer, message) => {
    await expect(workspace(config).read({ query: pointer })).rejects.toThrow(message);
  });

  test("shows a long list by pages, and long members by their size", async () => {
    const { read } = workspace(
      JSON.stringify({ list: Array.from({ length: 1_000 }, (_, id) => ({ id, text: "x".repeat(id === 1 ? 900 : 5) })) }),
    );
    const first = await read({ pointer: "/list", limit: 3 });
    expect(first).toBe(
      'a.json: members 0 to 2 of 1000 (list). Go on with offset 3.\n/list/0: {"id":0,"text":"xxxxx"}\n/list/1: (object of 2, 918 characters)\n/list/2: {"id":2,"text":"xxxxx"}',
    );
    expect(await read({ pointer: "/list", offset: 999 })).toBe(
      'a.json: members 999 to 999 of 1000 (list).\n/list/999: {"id":999,"text":"xxxxx"}',
    );
    expect(await read()).toContain("/list: (list of 1,000, ");
    await expect(read({ pointer: "/list", offset: 1_000 })).rejects.toThrow("behind its end");
  });

  test.each([
    ['{"a" 1}', "line 1, column 6, a colon is missing"],
    ['{"a":\n 1 "b": 2}', "line 2, column 4, a comma or the closing bracket is missing"],
    ['{"a": [1}', "a comma or the closing bracket is missing"],
    ['{"a": 01}', "a comma or the closing bracket is missing"],
    ['["x', "a text has no end"],
    ["[1", "a comma or the closing bracket is missing"],
    ["", "the text ends too early"],
    ["{} {}", "something follows the value"],
    ["[".repeat(2_000), "nested more than 1000 levels"],
  ])("says where %s is no JSON", async (content, message) => {
    await expect(workspace(content).read()).rejects.toThrow(message);
  });

  test("a place in a file of 50 MB is found, and other work goes on meanwhile", async () => {
    const row = JSON.stringify({ name: "x".repeat(480), more: [1, 2] });
    const { read } = workspace(`{"rows":[${Array(100_000).fill(row).join(",")}],"last":"here"}`);
    let turns = 0;
    const other = setInterval(() => (turns += 1), 0);
    try {
      expect(await read({ pointer: "/rows/99999/more" })).toBe("[1,2]");
      expect(turns).toBeGreaterThan(5);
    } finally {
      clearInterval(other);
    }
    expect(await read({ pointer: "/last" })).toBe('"here"');
    expect(await read({ pointer: "/rows", limit: 1 })).toContain("members 0 to 0 of 100000 (list). Go on with offset 1.");
  });

  test("a file of 300 MB is refused with what to do, and one of 8 MB is read in little time", async () => {
    const { read, file } = workspace(`[${'{"id":1,"name":"someone"},'.repeat(300_000)}{}]`);
    const started = performance.now();
    expect(await read({ pointer: "/290000/name" })).toBe('"someone"');
    expect(performance.now() - started).toBeLessThan(8_000);
    truncateSync(file, 300_000_000);
    await expect(read()).rejects.toMatchObject({ code: "too_large", message: expect.stringContaining("jq through shell_execute") });
  });

  test("a file that is not there, or outside, is refused", async () => {
    await expect(workspace(null).read()).rejects.toMatchObject({ code: "not_found" });
    await expect(workspace("{}").read({ path: "../a.json" })).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("json_write", () => {
  test.each<[string, JsonObject, string, string]>([
    ["sets a value and keeps all else", { pointer: "/name", value: "z" }, '"x\\"y"', '"z"'],
    [
      "writes a large value indented",
      { pointer: "/empty", value: { a: [1] } },
      '"empty": {}',
      '"empty": {\n    "a": [\n      1\n    ]\n  }',
    ],
    ["adds a member", { pointer: "/empty/b/c", value: 1 }, '"empty": {}', '"empty": {\n    "b": {\n      "c": 1\n    }\n  }'],
    ["adds a last member", { key: "new", value: null }, '"empty": {}\n', '"empty": {},\n  "new": null\n'],
    ["adds to a list on one line", { pointer: "/users/1/a~1b/-", value: { x: 1 } }, "[true, null]", '[true, null, {"x":1}]'],
    ["sets an element", { pointer: "users[0]", value: 7 }, '{ "a.b": 1 }', "7"],
    ["removes a first member", { pointer: "/users/0", delete: true }, '{ "a.b": 1 }, ', ""],
    ["removes a last member", { pointer: "/empty", remove: true }, ',\n  "empty": {}', ""],
    ["removes an only member", { pointer: "/users/0/a.b", remove: true }, '{ "a.b": 1 }', "{}"],
    ["takes __proto__ for a name", { pointer: "/empty/__proto__", value: 1 }, '"empty": {}', '"empty": {\n    "__proto__": 1\n  }'],
  ])("%s", async (_what, args, from, to) => {
    const { write, text } = workspace(config);
    await write(args);
    expect(text()).toBe(config.replace(from, () => to));
  });

  test("keeps CRLF, tabs and a compact form", async () => {
    const tabs = workspace('{\r\n\t"a": {}\r\n}\r\n');
    await tabs.write({ pointer: "/a/b", value: [1] });
    expect(tabs.text()).toBe('{\r\n\t"a": {\r\n\t\t"b": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}\r\n');
    const compact = workspace('{"a":{}}');
    await compact.write({ pointer: "/a/b", value: [1] });
    await compact.write({ pointer: "/c", value: 2 });
    expect(compact.text()).toBe('{"a":{"b":[1]},"c":2}');
  });

  test("makes a file, and says when nothing changes", async () => {
    const { write, text } = workspace(null);
    expect(await write({ pointer: "a.b", value: "1" })).toBe("Created a.json.");
    expect(text()).toBe('{\n  "a": {\n    "b": "1"\n  }\n}\n');
    expect(await write({ pointer: "a.b", value: "1" })).toContain("nothing was written");
    expect(await write({ value: [1, 2] })).toBe("Set a.json.");
    expect(JSON.parse(text())).toEqual([1, 2]);
  });

  test.each<[JsonObject, string]>([
    [{ pointer: "/name" }, "send either value, or remove: true"],
    [{ pointer: "/name", value: 1, remove: true }, "send either value, or remove: true"],
    [{ value: Number.POSITIVE_INFINITY }, "cannot be kept exactly"],
    [{ pointer: "users[", value: 1 }, "cannot be read"],
    [{ pointer: "/users/5", value: 1 }, "has no element 5"],
    [{ pointer: "/name/x", value: 1 }, "is a text"],
    [{ pointer: "/other/0", value: 1 }, "Write the list there first"],
    [{ pointer: "/other", remove: true }, "has no member other"],
    [{ pointer: "", remove: true }, "cannot be removed"],
    [{ path: "../a.json", value: 1 }, "outside the workspace"],
    [{ path: "b.json", pointer: "/x", remove: true }, "Did you mean a.json?"],
  ])("refuses %j with what to do, and changes nothing", async (args, message) => {
    const { write, text } = workspace(config);
    await expect(write(args)).rejects.toThrow(message);
    expect(text()).toBe(config);
  });

  test("refuses a file that is no JSON, because it would be destroyed", async () => {
    const { write, text } = workspace("a: 1\n");
    await expect(write({ value: 1 })).rejects.toThrow("is not JSON");
    expect(text()).toBe("a: 1\n");
  });

  test("shows the approver the file as it would be", () => {
    const change = jsonWrite.changesFile?.({ path: "a.json", pointer: "/a", value: 1, remove: false });
    expect([change?.after('{"a":0}'), change?.after(""), change?.after("[]")]).toEqual(['{"a":1}', '{\n  "a": 1\n}\n', null]);
    expect(existsSync("a.json")).toBe(false);
  });
});
