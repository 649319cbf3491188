import { mkdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
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
    startup: expect.arrayContaining([".git/config", ".git/hooks"]),
    linksOut: [],
    unfollowed: [],
    namingLinks: [],
    gitFolders: [],
    gap: null,
  });
});

test("links are noted where they lead out, and those with ordinary names are not followed", async () => {
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
  expect(await inspectFolder(root, classify, { maxEntries: 10 })).toMatchObject({
    sensitive: [".env"],
    gap: expect.stringContaining("more than 10 files"),
  });
  expect(await inspectFolder(root, classify, { maxEntries: 100 })).toMatchObject({ gap: null });
});

test("packages and git's own storage are not looked into", async () => {
  const root = folderWith("node_modules/x/.env", ".git/objects/.env", "packages/a/node_modules/.env", "src/.env");
  const { sensitive, unfollowed } = await inspectFolder(root, classify);
  expect(sensitive).toEqual(["src/.env"]);
  expect(unfollowed.sort()).toEqual([".git/objects", "node_modules", "packages/a/node_modules"]);
});

test("a folder that is not there has nothing", async () => {
  expect(await inspectFolder("/nowhere", classify)).toMatchObject({ sensitive: [], runsByItself: [], gap: null });
});

test("a link gives its kind to its target, and a link called .git makes a repository of its target", async () => {
  const root = folderWith("shared/secret", "store/config", "store/hooks/pre-commit", "store/HEAD", "pointer", "tools/file");
  symlinkSync("shared/secret", path.join(root, ".env"));
  symlinkSync("store", path.join(root, ".git"));
  symlinkSync("../pointer", path.join(root, "tools/.git"));
  symlinkSync("tools", path.join(root, "other"));
  const found = await inspectFolder(root, classify);
  expect(found.sensitive).toEqual(["shared/secret"]);
  expect(found.runsByItself.sort()).toEqual(["pointer", "store/config", "store/hooks"]);
  expect(found).toMatchObject({ namingLinks: [".git", "tools/.git"], gitFolders: ["store"], gap: null });
});

test.each([
  ["nothing-yet", "nothing-yet, which does not exist yet"],
  [".", "the whole folder"],
])("a sensitive link to %s cannot be protected, which the gap says", async (target, words) => {
  const root = folderWith("file");
  symlinkSync(target, path.join(root, ".env"));
  expect((await inspectFolder(root, classify)).gap).toContain(`The link .env leads to ${words}`);
});

test("a file named .git, which says where the repository lies, runs by itself", async () => {
  expect((await inspectFolder(folderWith("worktree/.git"), classify)).runsByItself).toEqual(["worktree/.git"]);
});

test("a file that was made, moved or removed since the last look is found, although listings are cached", async () => {
  const root = folderWith("a/b/file");
  // A listing is kept only when its folder last changed a while ago.
  vi.setSystemTime(Date.now() + 60_000);
  onTestFinished(() => void vi.useRealTimers());
  const sensitive = async () => (await inspectFolder(root, classify)).sensitive;
  expect(await sensitive()).toEqual([]);
  writeFileSync(path.join(root, "a/b/.env"), "");
  expect(await sensitive()).toEqual(["a/b/.env"]);
  renameSync(path.join(root, "a/b"), path.join(root, "a/c"));
  expect(await sensitive()).toEqual(["a/c/.env"]);
  // A program can set the time of a change back, but not the time of the change of the folder itself.
  const { atime, mtime } = statSync(path.join(root, "a/c"));
  renameSync(path.join(root, "a/c/.env"), path.join(root, "a/c/plain"));
  utimesSync(path.join(root, "a/c"), atime, mtime);
  expect(await sensitive()).toEqual([]);
});
