import { truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { readFile } from "./read-file";

function workspace(contents: Record<string, string | Uint8Array>) {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) writeFileSync(path.join(root, name), content);
  return { root, read: (args: JsonObject) => runTool(readFile, args, { files: workspaceFiles(root) }) };
}

test("a file is answered with numbered lines and where it ends", async () => {
  const { read } = workspace({ "a.txt": "one\ntwo\n" });
  expect(await read({ path: "a.txt" })).toEqual({
    path: "a.txt",
    totalLines: 2,
    startLine: 1,
    startColumn: 1,
    endLine: 2,
    readLines: 2,
    content: "     1\tone\n     2\ttwo\n",
    truncated: false,
    lineTruncated: false,
    message: "Lines 1 to 2 of 2.",
  });
});

test("a long file comes in pages of 1,000 lines", async () => {
  const { read } = workspace({ "a.txt": "x\n".repeat(2_500) });
  expect(await read({ path: "a.txt" })).toMatchObject({
    endLine: 1_000,
    truncated: true,
    nextStartLine: 1_001,
    message: "Lines 1 to 1000 of 2500. Go on with startLine 1001.",
  });
  expect(await read({ path: "a.txt", startLine: 2_001 })).toMatchObject({ endLine: 2_500, readLines: 500, truncated: false });
});

test("a giant line comes in pages too, with the column to go on at", async () => {
  const { read } = workspace({ "data.json": JSON.stringify("x".repeat(100_000)) });
  const first = await read({ path: "data.json" });
  expect(first).toMatchObject({ truncated: true, lineTruncated: true, nextStartLine: 1, nextStartColumn: 30_721, totalLines: 1 });
  expect(await read({ path: "data.json", startLine: 1, startColumn: 30_721 })).toMatchObject({ nextStartColumn: 61_441 });
  const last = await read({ path: "data.json", startLine: 1, startColumn: 92_161 });
  expect(last).toMatchObject({ truncated: false, lineTruncated: false });
  expect(last).not.toHaveProperty("nextStartLine");
  expect(last).not.toHaveProperty("nextStartColumn");
});

test("names that other systems use for the parameters are understood", async () => {
  const { read } = workspace({ "a.txt": "1\n2\n3\n4\n" });
  expect(await read({ filePath: "a.txt", start_line: 2, end_line: 3 })).toMatchObject({ content: "     2\t2\n     3\t3\n" });
  expect(await read({ file_path: "a.txt", offset: 3, limit: 1 })).toMatchObject({ content: "     3\t3\n", nextStartLine: 4 });
});

test("an empty file is empty, not an error", async () => {
  const { read } = workspace({ empty: "" });
  expect(await read({ path: "empty" })).toMatchObject({ content: "", totalLines: 0, message: "The file is empty." });
});

test("the first page of a file of many gigabytes comes at once, without its number of lines", async () => {
  const { root, read } = workspace({});
  const lines = "a line of a very long log\n".repeat(2_000);
  writeFileSync(path.join(root, "huge.log"), lines);
  truncateSync(path.join(root, "huge.log"), 2 ** 40);
  const before = process.memoryUsage().rss;
  expect(await read({ path: "huge.log", maxLines: 10 })).toMatchObject({ totalLines: null, endLine: 10, nextStartLine: 11 });
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});

describe("what is no text is refused, with what to do instead:", () => {
  test.each([
    ["report.pdf", "%PDF-1.7 …", "PDF document"],
    ["renamed.txt", "%PDF-1.7 …", "PDF document"],
    ["letter.docx", Buffer.from([0x50, 0x4b, 3, 4, 20]), "Office document"],
    ["old.xls", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), "Office document"],
    ["archive.zip", Buffer.from([0x50, 0x4b, 3, 4, 20]), "binary file"],
    ["picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), "binary file"],
    ["windows.txt", Buffer.from("\uFEFFhello", "utf16le"), "UTF-16"],
  ])("%s", async (name, content, says) => {
    const { read } = workspace({ [name]: content });
    await expect(read({ path: name })).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining(says) });
  });

  test("a folder, and what is not there", async () => {
    const { read } = workspace({});
    await expect(read({ path: "." })).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining("folder") });
    await expect(read({ path: "missing.txt" })).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("missing.txt"),
    });
    await expect(read({ path: "../outside.txt" })).rejects.toMatchObject({ code: "forbidden" });
  });
});

test("a range that ends before it begins is refused", async () => {
  const { read } = workspace({ "a.txt": "1\n2\n3\n" });
  await expect(read({ path: "a.txt", startLine: 3, endLine: 2 })).rejects.toMatchObject({ code: "invalid" });
  await expect(read({ path: "a.txt", startLine: 4 })).rejects.toThrow("The file has 3 lines");
});

test("its answers are never cut or moved elsewhere: it pages by itself", () => {
  expect(readFile).toMatchObject({ neverSpilled: true, effect: "read", concurrencySafe: true });
});
