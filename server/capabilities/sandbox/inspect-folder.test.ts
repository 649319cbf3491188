import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@/server/testing/tool-context";
import { type FileKind, inspectFolder } from "./inspect-folder";

function folderWith(...files: string[]): string {
  const root = path.join(temporaryFolder(), "workspace");
  for (const file of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), "");
  }
  return root;
}

const classify = (file: string): FileKind => {
  if (/(^|\/)\.env$/.test(file) || file === "keys") return "sensitive";
  return /(^|\/)\.git\/(config|hooks)$/.test(file) ? "runs_by_itself" : null;
};

test("files and folders that have a kind are found at any depth, a folder as a whole", async () => {
  const root = folderWith(".env", "a/b/.env", "keys/one", "keys/two", ".git/config", ".git/hooks/pre-commit", "a/readme");
  expect(await inspectFolder(root, classify)).toEqual({
    sensitive: expect.arrayContaining([".env", "a/b/.env", "keys"]),
    runsByItself: expect.arrayContaining([".git/config", ".git/hooks"]),
    linksOut: [],
    unfollowed: [],
    complete: true,
  });
});

test("links are noted where they lead out, and never followed", async () => {
  const root = folderWith("a/file", "outside-in/.env");
  const outside = folderWith(".env", "deep/.env");
  symlinkSync(outside, path.join(root, "door"));
  symlinkSync("../..", path.join(root, "a/up"));
  symlinkSync("/nowhere/at/all", path.join(root, "dangling"));
  symlinkSync("file", path.join(root, "a/inside"));
  symlinkSync(root, path.join(root, "round"));
  const { linksOut, unfollowed, sensitive } = await inspectFolder(root, classify);
  expect(linksOut.sort()).toEqual(["a/up", "dangling", "door"]);
  expect(unfollowed.sort()).toEqual(["a/inside", "a/up", "dangling", "door", "round"]);
  expect(sensitive).toEqual(["outside-in/.env"]);
});

test("a folder that is too large is looked at from the top, and said to be incomplete", async () => {
  const root = folderWith(...Array.from({ length: 30 }, (_, index) => `many/file-${index}`), ".env");
  expect(await inspectFolder(root, classify, { maxEntries: 10 })).toMatchObject({ sensitive: [".env"], complete: false });
  expect(await inspectFolder(root, classify, { maxEntries: 100 })).toMatchObject({ complete: true });
});

test("packages and git's own storage are not looked into", async () => {
  const root = folderWith("node_modules/x/.env", ".git/objects/.env", "packages/a/node_modules/.env", "src/.env");
  const { sensitive, unfollowed } = await inspectFolder(root, classify);
  expect(sensitive).toEqual(["src/.env"]);
  expect(unfollowed.sort()).toEqual([".git/objects", "node_modules", "packages/a/node_modules"]);
});

test("a folder that is not there has nothing, and is not complete", async () => {
  expect(await inspectFolder("/nowhere", classify)).toEqual({
    sensitive: [],
    runsByItself: [],
    linksOut: [],
    unfollowed: [],
    complete: false,
  });
});
