import "@/server/testing/builtin-tools";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { readFile } from "./read-file";

const nothingRead = { newestResult: async () => null };

function workspace(contents: Record<string, string | Uint8Array>) {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) writeFileSync(path.join(root, name), content);
  return { root, read: (args: JsonObject) => runTool(readFile, args, { files: workspaceFiles(root), earlier_reads: nothingRead }) };
}

test("a file is plain text: one line about the page, then numbered lines", async () => {
  const { read } = workspace({ "a.txt": 'one\n\t"two" \\\n' });
  expect(await read({ path: "a.txt" })).toBe('a.txt: lines 1 to 2 of 2.\n1\tone\n2\t\t"two" \\\n');
});

test("a long file comes in pages of 1,000 lines", async () => {
  const { read } = workspace({ "a.txt": "x\n".repeat(2_500) });
  expect(await read({ path: "a.txt" })).toMatch(/^a\.txt: lines 1 to 1000 of 2500\. Go on with startLine 1001\.\n1\tx\n/);
  expect(await read({ path: "a.txt", startLine: 2_001 })).toMatch(/^a\.txt: lines 2001 to 2500 of 2500\.\n/);
});

test("a giant line comes in pages too, with the column to go on at", async () => {
  const { read } = workspace({ "data.json": JSON.stringify("x".repeat(100_000)) });
  const first = await read({ path: "data.json" });
  expect(first).toContain("lines 1 to 1 of 1. Line 1 has more than 30,720 bytes: go on with startLine 1 and startColumn 30721.");
  expect(await read({ path: "data.json", startLine: 1, startColumn: 30_721 })).toContain("startColumn 61441.");
  expect(await read({ path: "data.json", startLine: 1, startColumn: 92_161 })).toMatch(/^data\.json: lines 1 to 1 of 1\.\n/);
});

test("names that other systems use for the parameters are understood", async () => {
  const { read } = workspace({ "a.txt": "1\n2\n3\n4\n" });
  expect(await read({ filePath: "a.txt", start_line: 2, end_line: 3 })).toBe("a.txt: lines 2 to 3 of 4.\n2\t2\n3\t3\n");
  expect(await read({ file_path: "a.txt", offset: 3, limit: 1 })).toBe("a.txt: lines 3 to 3 of 4. Go on with startLine 4.\n3\t3\n");
});

test.each([
  ["more lines than a page has", { limit: 5_000 }, "lines 1 to 1000 of 1200. Go on with startLine 1001."],
  ["a line before the first", { offset: 0, limit: 2 }, "lines 1 to 2 of 1200. Go on with startLine 3."],
  ["no lines at all", { startLine: 0, maxLines: 0 }, "lines 1 to 1 of 1200. Go on with startLine 2."],
  ["half a line", { startLine: 3.5, maxLines: 1 }, "lines 3 to 3 of 1200. Go on with startLine 4."],
])("%s is moved into the file's range, not refused", async (_what, args, sentence) => {
  const { read } = workspace({ "a.txt": "x\n".repeat(1_200) });
  expect(await read({ path: "a.txt", ...args })).toContain(sentence);
});

test("an empty file is empty, not an error", async () => {
  const { read } = workspace({ empty: "" });
  expect(await read({ path: "empty" })).toBe("empty: empty.\n");
});

describe("a missing file is answered with the files that were probably meant:", () => {
  test.each([
    ["the same name in another folder", "a.txt", "src/a.txt"],
    ["a typing mistake", "src/raedme.md", "src/readme.md"],
    ["another ending", "src/readme.txt", "src/readme.md"],
    ["capitals", "src/README.md", "src/readme.md"],
  ])("%s", async (_what, asked, meant) => {
    const { root, read } = workspace({});
    mkdirSync(path.join(root, "src"));
    for (const name of ["src/a.txt", "src/readme.md", "other.json"]) writeFileSync(path.join(root, name), "x");
    await expect(read({ path: asked })).rejects.toMatchObject({
      code: "not_found",
      message: `There is no ${asked} in the workspace. Did you mean ${meant}?`,
    });
  });

  test("none where nothing is like it", async () => {
    const { read } = workspace({ "a.txt": "x" });
    await expect(read({ path: "invoice.csv" })).rejects.toMatchObject({ message: expect.stringContaining("search_files") });
  });
});

test("the first page of a file of many gigabytes comes at once, with the number of lines that were counted", async () => {
  const { root, read } = workspace({});
  const lines = "a line of a very long log\n".repeat(2_000);
  writeFileSync(path.join(root, "huge.log"), lines);
  truncateSync(path.join(root, "huge.log"), 2 ** 40);
  const before = process.memoryUsage().rss;
  expect(await read({ path: "huge.log", maxLines: 10 })).toContain("lines 1 to 10 of at least 2001. Go on with startLine 11.");
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});

test("pages of a large file go on from the known place, also after the file was changed", async () => {
  const { root, read } = workspace({});
  const line = "0123456789".repeat(10);
  writeFileSync(path.join(root, "large.log"), `${line}\n`.repeat(60_000));
  const deep = { path: "large.log", startLine: 50_001, maxLines: 2 };
  expect(await read(deep)).toBe(`large.log: lines 50001 to 50002 of 60000. Go on with startLine 50003.\n50001\t${line}\n50002\t${line}\n`);
  expect(await read({ ...deep, startLine: 50_003 })).toContain("lines 50003 to 50004 of 60000.");
  expect(await read({ ...deep, startLine: 50_002 })).toContain("lines 50002 to 50003 of 60000.");
  writeFileSync(path.join(root, "large.log"), `new\n${line}\n`.repeat(60_000));
  expect(await read({ ...deep, startLine: 50_003, maxLines: 1 })).toContain("50003\tnew\n");
});

describe("what is no text is refused, with what to do instead:", () => {
  test.each([
    ["report.pdf", "%PDF-1.7 …", "PDF document"],
    ["renamed.txt", "%PDF-1.7 …", "PDF document"],
    ["letter.docx", Buffer.from([0x50, 0x4b, 3, 4, 20]), "Office document"],
    ["old.xls", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), "Office document"],
    ["archive.zip", Buffer.from([0x50, 0x4b, 3, 4, 20]), "binary file"],
    ["picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), "binary file"],
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

test("an image is shown as an image, whatever its name, and an over-large one is refused", async () => {
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  const { root, read } = workspace({ "shot.txt": png });
  expect(await read({ path: "shot.txt" })).toMatchObject({
    text: `shot.txt: an image (image/png, 1 × 1 pixels, ${png.byteLength} bytes).`,
    files: [{ name: "shot.txt", mediaType: "image/png", bytes: png }],
  });
  truncateSync(path.join(root, "shot.txt"), 21 * 1_048_576);
  await expect(read({ path: "shot.txt" })).rejects.toMatchObject({ code: "too_large" });
});

test("a range that ends before it begins is refused", async () => {
  const { read } = workspace({ "a.txt": "1\n2\n3\n" });
  await expect(read({ path: "a.txt", startLine: 3, endLine: 2 })).rejects.toMatchObject({ code: "invalid" });
  await expect(read({ path: "a.txt", startLine: 4 })).rejects.toThrow("The file has 3 lines");
});

test("its answers are never cut or moved elsewhere: it pages by itself", () => {
  expect(readFile).toMatchObject({ neverSpilled: true, effect: "read", concurrencySafe: true });
});
