import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { multiEdit } from "./multi-edit";

function workspace(content: string) {
  const root = temporaryFolder();
  const file = path.join(root, "a.txt");
  writeFileSync(file, content);
  return {
    edit: (args: JsonObject) => runTool(multiEdit, { path: "a.txt", ...args }, { files: workspaceFiles(root) }),
    text: () => readFileSync(file, "utf8"),
  };
}

const two = [
  { oldText: "one", newText: "1" },
  { oldText: "1 two", newText: "1 2" },
];
const broken = [
  { oldText: "one", newText: "1" },
  { oldText: "missing", newText: "x" },
  { oldText: "three", newText: "3" },
];

test("edits are applied in order, each to the result of those before it", async () => {
  const { edit, text } = workspace("one two three");
  expect(await edit({ edits: two })).toBe("Changed a.txt: 2 of 2 edits applied.\n1. changed one place.\n2. changed one place.");
  expect(text()).toBe("1 2 three");
});

test("names that other systems use inside an edit are understood", async () => {
  const { edit, text } = workspace("a a b");
  await edit({
    edits: [
      { old_string: "a", new_string: "c", replace_all: true },
      { old: "b", new: "$&" },
    ],
  });
  expect(text()).toBe("c c $&");
});

test("strict changes nothing when one edit fails, and says which", async () => {
  const { edit, text } = workspace("one two three");
  await expect(edit({ edits: broken })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/not changed.*\n1\. changed one place\.\n2\. failed: oldText does not occur.*\n3\. skipped\./),
  });
  expect(text()).toBe("one two three");
});

test("partial keeps the edits up to the first failing one", async () => {
  const { edit, text } = workspace("one two three");
  expect(await edit({ edits: broken, mode: "partial" })).toEqual(expect.stringContaining("1 of 3 edits applied, 1 failed, 1 skipped."));
  expect(text()).toBe("1 two three");
});

test("best effort skips the failing edits", async () => {
  const { edit, text } = workspace("one two three");
  expect(await edit({ edits: broken, mode: "best_effort" })).toEqual(expect.stringContaining("2 of 3 edits applied, 1 failed."));
  expect(text()).toBe("1 two 3");
});

test("lines keep their CRLF", async () => {
  const { edit, text } = workspace("one\r\ntwo\r\n");
  await edit({ edits: [{ oldText: "one\ntwo", newText: "1\n2\n3" }] });
  expect(text()).toBe("1\r\n2\r\n3\r\n");
});

test.each<[JsonObject, string]>([
  [{ edits: [] }, "edits"],
  [{ edits: [{ oldText: "", newText: "x" }] }, "edits.0.oldText"],
  [{ edits: [{ oldText: "one", newText: "x", old: "two" }] }, "old"],
  [{ edits: ["one"] }, "edits.0"],
  [{ edits: Array.from({ length: 101 }, () => two[0] ?? {}) }, "edits"],
  [{ path: "../a.txt", edits: two }, "outside the workspace"],
  [{ path: "b.txt", edits: two }, "Did you mean a.txt?"],
  [{ edits: [{ oldText: "one", newText: "one" }] }, "are the same"],
])("%j is refused with what to do, and nothing changes", async (args, message) => {
  const { edit, text } = workspace("one two three");
  await expect(edit(args)).rejects.toThrow(message);
  expect(text()).toBe("one two three");
});

test("a file that doubles with every edit is stopped", async () => {
  const { edit, text } = workspace("x".repeat(1_024));
  const doubling = Array.from({ length: 40 }, () => ({ oldText: "x", newText: "xx", replaceAll: true }));
  await expect(edit({ edits: doubling })).rejects.toThrow("more than 200,000 places");
  const large = { oldText: "x", newText: "y".repeat(100_000), replaceAll: true };
  await expect(edit({ edits: [large] })).rejects.toThrow("a result of more than 20 MiB");
  expect(text()).toHaveLength(1_024);
});

test("the approver sees the file as it would be", () => {
  const change = multiEdit.changesFile?.({ path: "a.txt", edits: two.map((edit) => ({ ...edit, replaceAll: false })), mode: "strict" });
  expect(change?.after("one two three")).toBe("1 2 three");
  expect(change?.after("other")).toBe(null);
});
