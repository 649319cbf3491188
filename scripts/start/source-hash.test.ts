import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashSources } from "./source-hash.mjs";

let root: string;
const write = async (file: string, text: string) => {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
};
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "handrail-sources-"));
  await write("app/page.tsx", "page");
  await write("server/deep/down/thing.ts", "thing");
  await write("package-lock.json", "{}");
  await write("scripts/build.mjs", "build");
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("the same sources have the same hash wherever they are", async () => {
  const before = hashSources(root);
  const elsewhere = `${root}-moved`;
  await rename(root, elsewhere);
  root = elsewhere;
  expect(hashSources(root)).toEqual(before);
  expect(before.fileCount).toBe(4);
});

test.each([
  ["changed", () => write("server/deep/down/thing.ts", "other")],
  ["added", () => write("components/new.tsx", "")],
  ["renamed", () => rename(path.join(root, "app/page.tsx"), path.join(root, "app/pages.tsx"))],
  ["removed", () => rm(path.join(root, "app/page.tsx"))],
  ["cut in two", () => Promise.all([write("app/page.tsx", "pa"), write("app/page.tsx2", "ge")])],
])("a file that is %s means another build", async (_what, change) => {
  const { hash } = hashSources(root);
  await change();
  expect(hashSources(root).hash).not.toBe(hash);
});

test.each([
  "server/deep/down/thing.test.ts",
  "server/testing/builders.ts",
  "e2e/a.spec.ts",
  "docs/a.md",
  ".data/x",
  "mydata/x",
  "README.md",
])("%s is not part of the build", async (file) => {
  const { hash } = hashSources(root);
  await write(file, "anything");
  expect(hashSources(root).hash).toBe(hash);
});
