import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { writeFile } from "./write-file";

function workspace() {
  const root = temporaryFolder();
  return {
    root,
    write: (args: JsonObject) => runTool(writeFile, args, { files: workspaceFiles(root) }),
    read: (name: string) => readFileSync(path.join(root, name), "utf8"),
  };
}

test("a file is created with its folders, then replaced, then added to", async () => {
  const { write, read } = workspace();
  expect(await write({ path: "a/b/c.txt", content: "héllo\n" })).toBe("Created a/b/c.txt with 7 bytes.");
  expect(await write({ path: "a/b/c.txt", content: "new\n" })).toBe("Replaced a/b/c.txt with 4 bytes.");
  expect(await write({ path: "a/b/c.txt", content: "more\n", mode: "append" })).toBe("Added 5 bytes to the end of a/b/c.txt.");
  expect(read("a/b/c.txt")).toBe("new\nmore\n");
});

test("appending to nothing creates the file, and an empty text makes an empty file", async () => {
  const { write, read } = workspace();
  expect(await write({ path: "log.txt", content: "first\n", mode: "append" })).toBe("Created log.txt with 6 bytes.");
  expect(await write({ path: "empty.txt", content: "" })).toBe("Created empty.txt with 0 bytes.");
  expect(read("empty.txt")).toBe("");
});

test("the whole file is checked after an append", async () => {
  const { write } = workspace();
  await write({ path: "a.ts", content: "const a = {\n" });
  expect(await write({ path: "a.ts", content: "b: ;\n", mode: "append" })).toContain('its syntax is broken: Unexpected ";", at line 2');
  expect(await write({ path: "b.json", content: "[1", mode: "append" })).toContain("syntax is broken");
  expect(await write({ path: "b.json", content: ", 2]", mode: "append" })).toBe("Added 4 bytes to the end of b.json.");
});

test("names that other systems use for the parameters are understood", async () => {
  const { write, read } = workspace();
  await write({ filePath: "a.txt", content: "a" });
  await write({ file_path: "b.txt", text: "b" });
  expect(read("a.txt") + read("b.txt")).toBe("ab");
});

test("more than 512 KiB is refused and leaves the old file as it was", async () => {
  const { write, read } = workspace();
  await write({ path: "a.txt", content: "old" });
  await expect(write({ path: "a.txt", content: "é".repeat(262_145) })).rejects.toMatchObject({
    code: "too_large",
    message: expect.stringContaining("content too large (524290 bytes > 524288 max)"),
  });
  expect(read("a.txt")).toBe("old");
  expect(await write({ path: "a.txt", content: "x".repeat(524_288) })).toBe("Replaced a.txt with 524,288 bytes.");
});

test("nothing is written outside the workspace or over a folder", async () => {
  const { write, root } = workspace();
  mkdirSync(path.join(root, "folder"));
  await expect(write({ path: "../escaped.txt", content: "x" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(write({ path: "/tmp/escaped.txt", content: "x" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(write({ path: "folder", content: "x" })).rejects.toMatchObject({ code: "invalid" });
  await expect(write({ path: "new/", content: "x" })).rejects.toThrow(/names a folder/);
  expect(existsSync(path.join(root, "new"))).toBe(false);
  expect(existsSync(path.join(root, "../escaped.txt"))).toBe(false);
});

test("it waits for its neighbours and asks under the default policy", () => {
  expect(writeFile).toMatchObject({ effect: "write", dangerous: true, concurrencySafe: false });
});
