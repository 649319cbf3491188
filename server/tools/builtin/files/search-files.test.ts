import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { searchFiles } from "./search-files";

function workspace(contents: Record<string, string | Uint8Array>) {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  return {
    root,
    search: (args: JsonObject, signal = new AbortController().signal) =>
      runTool(searchFiles, args, { files: workspaceFiles(root), signal }),
  };
}

describe("searching content", () => {
  test("finds lines in every file, with path and number, in name order", async () => {
    const { search } = workspace({ "b.txt": "x\nneedle b\n", "a/z.txt": "needle a\r\ny\r\n", "c.txt": "nothing" });
    expect(await search({ query: "needle" })).toEqual({
      matches: [
        { path: "a/z.txt", line: 1, text: "needle a" },
        { path: "b.txt", line: 2, text: "needle b" },
      ],
      filesSearched: 3,
      truncated: false,
      message: "2 lines in all.",
    });
  });

  test("takes the query as plain text, signs and all", async () => {
    const { search } = workspace({ "a.txt": "a.c (x)*\nabc\n" });
    expect(await search({ query: "a.c (x)*" })).toMatchObject({ matches: [{ line: 1 }] });
  });

  test("takes a pattern when told so", async () => {
    const { search } = workspace({ "a.ts": "export const one = 1\nconst two = 2\n  export const three = 3\n" });
    expect(await search({ query: "^export const \\w+", regex: true })).toMatchObject({ matches: [{ line: 1 }] });
    expect(await search({ query: "EXPORT", regex: true, ignoreCase: true })).toMatchObject({ matches: [{ line: 1 }, { line: 3 }] });
  });

  test("minds capital letters unless told not to", async () => {
    const { search } = workspace({ "a.txt": "Needle\nneedle\nNEEDLE\n" });
    expect(await search({ query: "needle" })).toMatchObject({ matches: [{ line: 2 }] });
    expect(await search({ query: "nEEdle", ignoreCase: true })).toMatchObject({ matches: [{ line: 1 }, { line: 2 }, { line: 3 }] });
  });

  test("shows lines around a match when asked", async () => {
    const { search } = workspace({ "a.txt": "1\n2\n3\n4\n5\n" });
    expect(await search({ query: "3", contextLines: 1 })).toMatchObject({
      matches: [{ line: 3, text: "3", before: ["2"], after: ["4"] }],
    });
    expect(await search({ query: "1", contextLines: 3 })).toMatchObject({ matches: [{ before: [], after: ["2", "3", "4"] }] });
  });

  test("looks only where it is told to", async () => {
    const { search } = workspace({ "src/a.ts": "x", "src/b.md": "x", "docs/a.ts": "x" });
    expect(await search({ query: "x", path: "src", glob: "*.ts" })).toMatchObject({ matches: [{ path: "src/a.ts" }], filesSearched: 1 });
    expect(await search({ query: "x", glob: "docs/**" })).toMatchObject({ matches: [{ path: "docs/a.ts" }] });
    expect(await search({ query: "x", path: "src/b.md" })).toMatchObject({ matches: [{ path: "src/b.md" }] });
  });

  test("stops at maxResults and says that there is more", async () => {
    const { search } = workspace({ "a.txt": "x\n".repeat(100), "b.txt": "x\n" });
    expect(await search({ query: "x", maxResults: 3 })).toMatchObject({
      matches: [{ line: 1 }, { line: 2 }, { line: 3 }],
      truncated: true,
      message: expect.stringContaining("There are more"),
    });
    expect(await search({ query: "x", path: "b.txt", maxResults: 1 })).toMatchObject({ truncated: false });
  });

  test("skips what is no text or too large, and says how many", async () => {
    const { root, search } = workspace({ "binary.bin": Buffer.from("needle\0"), "good.txt": "needle", "doc.pdf": "%PDF-1.7 needle" });
    writeFileSync(path.join(root, "huge.txt"), "needle\n");
    truncateSync(path.join(root, "huge.txt"), 2 ** 34);
    expect(await search({ query: "needle" })).toMatchObject({ matches: [{ path: "good.txt" }], filesSearched: 1, filesSkipped: 3 });
  });

  test("leaves out .git and node_modules unless it starts there", async () => {
    const { search } = workspace({
      "node_modules/p/x.js": "needle",
      ".git/config": "needle",
      ".env": "needle",
      "a/node_modules/y.js": "needle",
    });
    expect(await search({ query: "needle" })).toMatchObject({ matches: [{ path: ".env" }] });
    expect(await search({ query: "needle", path: "node_modules/p" })).toMatchObject({ matches: [{ path: "node_modules/p/x.js" }] });
  });

  test("does not follow a link out of the workspace", async () => {
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, "secret.txt"), "needle");
    const { root, search } = workspace({ "a.txt": "needle" });
    symlinkSync(outside, path.join(root, "door"));
    symlinkSync(path.join(outside, "secret.txt"), path.join(root, "file-door"));
    expect(await search({ query: "needle" })).toMatchObject({ matches: [{ path: "a.txt" }], filesSearched: 1 });
    await expect(search({ query: "needle", path: "door" })).rejects.toMatchObject({ code: "forbidden" });
  });

  test("shortens long lines", async () => {
    const { search } = workspace({ "a.txt": `needle ${"x".repeat(1_000)}` });
    const { matches } = (await search({ query: "needle" })) as { matches: { text: string }[] };
    expect(matches[0]?.text).toHaveLength(301);
  });
});

describe("searching names", () => {
  const files = { "src/index.ts": "1", "src/deep/index.test.ts": "12", "readme.md": "" };

  test("finds files by a part of their path", async () => {
    const { search } = workspace(files);
    expect(await search({ query: "index", target: "name" })).toEqual({
      matches: [
        { path: "src/deep/index.test.ts", bytes: 2 },
        { path: "src/index.ts", bytes: 1 },
      ],
      filesSearched: 3,
      truncated: false,
      message: "2 files in all.",
    });
  });

  test("lists everything for an empty query, or what fits a glob", async () => {
    const { search } = workspace(files);
    expect(await search({ query: "", target: "name" })).toMatchObject({ matches: [{}, {}, { path: "src/index.ts" }] });
    expect(await search({ query: "", target: "name", glob: "*.md" })).toMatchObject({ matches: [{ path: "readme.md" }] });
    expect(await search({ query: "\\.test\\.", target: "name", regex: true })).toMatchObject({
      matches: [{ path: "src/deep/index.test.ts" }],
    });
  });
});

describe("a search that cannot be", () => {
  test.each([
    [{ query: "" }, "The query is empty"],
    [{ query: "(", regex: true }, "not an RE2 pattern"],
    [{ query: "(?=x)", regex: true }, "not an RE2 pattern"],
    [{ query: "x", glob: "{" }, "glob"],
    [{ query: "x", path: "../" }, "outside the workspace"],
    [{ query: "x", path: "missing" }, "missing"],
  ])("%j is refused with a sentence", async (args, sentence) => {
    await expect(workspace({}).search(args as JsonObject)).rejects.toThrow(sentence);
  });

  test("in an empty workspace finds nothing", async () => {
    expect(await workspace({}).search({ query: "x" })).toEqual({
      matches: [],
      filesSearched: 0,
      truncated: false,
      message: "No line matches.",
    });
  });
});

test("a pattern made to take forever does not, and a search can be stopped", async () => {
  const { search } = workspace({ "a.txt": `${"a".repeat(19_000)}\n`.repeat(200) });
  await search({ query: "(a+)+$b|(a|aa)+c", regex: true });
  await expect(search({ query: "x" }, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});
