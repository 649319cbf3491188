import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { glob } from "./glob";
import { tree } from "./tree";

function workspace(names: readonly string[]) {
  const root = temporaryFolder();
  for (const name of names) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), "x");
  }
  const given = { files: workspaceFiles(root) };
  return {
    at: (name: string) => path.join(root, name),
    glob: (args: JsonObject) => runTool(glob, args, given) as Promise<string>,
    tree: (args: JsonObject = {}) => runTool(tree, args, given) as Promise<string>,
  };
}

const project = ["src/a.ts", "src/deep/b.ts", "src/deep/c.tsx", "readme.md", "node_modules/x/i.ts", "we[i]rd/a.ts", ".env"];

test.each<[string, JsonObject, string[]]>([
  ["a name at any depth", { pattern: "*.ts" }, ["src/a.ts", "src/deep/b.ts", "we[i]rd/a.ts"]],
  ["a pattern with a folder", { pattern: "src/**/*.{ts,tsx}" }, ["src/a.ts", "src/deep/b.ts", "src/deep/c.tsx"]],
  ["a pattern below a folder", { pattern: "deep/*.ts", directory: "src" }, ["src/deep/b.ts"]],
  ["a folder whose name has signs of globs", { pattern: "./**/*.ts", path: "we[i]rd" }, ["we[i]rd/a.ts"]],
  ["what is ignored, when asked", { glob: "**/i.ts", no_ignore: true }, ["node_modules/x/i.ts"]],
])("glob finds %s", async (_what, args, expected) => {
  const found = await workspace(project).glob(args);
  expect(found.split("\n")).toEqual([...expected, `[${expected.length} file${expected.length === 1 ? "" : "s"}]`]);
});

test("glob lists the file that changed last first, and says that there are more", async () => {
  const { at, glob } = workspace(["a.txt", "b.txt", "c.txt"]);
  for (const [index, name] of ["b.txt", "c.txt", "a.txt"].entries()) utimesSync(at(name), 1_000 - index, 1_000 - index);
  expect(await glob({ pattern: "*.txt", order: "newest", limit: 2 })).toBe(
    "b.txt\nc.txt\n[The first 2 files. There are more: narrow the pattern, or raise maxResults.]",
  );
});

test("glob says that nothing fits, and what was left out", async () => {
  expect(await workspace(project).glob({ pattern: "*.rs" })).toBe(
    "No file in . fits *.rs. Files that .gitignore names were left out; includeIgnored lists them, too.",
  );
});

test.each([
  [{ pattern: "../*" }, "leads up"],
  [{ pattern: "src/../../*" }, "leads up"],
  [{ pattern: "/etc/*" }, "is absolute"],
  [{ pattern: "~/*" }, "is absolute"],
  [{ pattern: "!*.ts" }, "cannot begin with !"],
  [{ pattern: "a[" }, "cannot be read"],
  [{ pattern: "*", path: "../.." }, "outside the workspace"],
  [{ pattern: "*", path: "nowhere" }, "There is no nowhere"],
  [{ pattern: "*", path: "readme.md" }, "is a file"],
])("glob refuses %j with what to do", async (args, message) => {
  await expect(workspace(project).glob(args)).rejects.toThrow(message);
});

test("neither follows a link out of the folder", async () => {
  const { at, glob, tree } = workspace(["a.txt"]);
  const outside = workspace(["secret.txt"]);
  symlinkSync(outside.at("."), at("door"));
  expect(await glob({ pattern: "*.txt" })).toBe("a.txt\n[1 file]");
  expect(await tree()).toBe(".\n  a.txt\n[1 file.]");
  await expect(tree({ path: "door" })).rejects.toThrow("outside the workspace");
});

test("a link inside the folder leads to the real folder", async () => {
  const { at, glob, tree } = workspace(["src/deep/a.ts"]);
  symlinkSync("src", at("link"));
  expect(await glob({ pattern: "deep/*.ts", path: "link" })).toBe("src/deep/a.ts\n[1 file]");
  expect(await tree({ path: "link/" })).toBe("src/\n  deep/\n    a.ts\n[1 file.]");
});

test("a tree shows folders first, and the number of files below its depth", async () => {
  const { tree } = workspace(project);
  expect(await tree({ depth: 1 })).toBe(".\n  src/ (3 files)\n  we[i]rd/ (1 file)\n  .env\n  readme.md\n[6 files.]");
  expect(await tree({ dir: "src" })).toBe("src/\n  deep/\n    b.ts\n    c.tsx\n  a.ts\n[3 files.]");
});

test("a tree has as many lines as asked for, and says how many are missing", async () => {
  const { tree } = workspace(Array.from({ length: 30 }, (_, index) => `${index}.txt`));
  const shown = (await tree({ limit: 10 })).split("\n");
  expect(shown).toHaveLength(12);
  expect(shown.at(-1)).toBe("[30 files. 20 more lines: send a smaller folder or depth, or raise maxLines.]");
});

test("a tree of nothing, of a file and of a folder that is not there", async () => {
  expect(await workspace([]).tree()).toBe(". holds no files but those that .gitignore names.");
  await expect(workspace(project).tree({ path: "readme.md" })).rejects.toThrow("is a file");
  await expect(workspace(project).tree({ path: "nowhere" })).rejects.toMatchObject({ code: "not_found" });
});
