import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shellCall } from "@/server/testing/guard/guarded-calls";
import { folderFacts } from "./folder-facts";

let root = "";
let folder = "";

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), "folder-facts-")));
  folder = path.join(root, "one");
  await mkdir(folder);
  await writeFile(path.join(folder, "a.txt"), "a");
  const links = { inside: "a.txt", nothing: "../not-there", chain: "nothing", loop: "loop" };
  for (const [name, target] of Object.entries(links)) await symlink(target, path.join(folder, name));
});

afterAll(() => rm(root, { recursive: true }));

async function realOf(command: string): Promise<Record<string, string>> {
  const call = shellCall(command);
  const facts = await folderFacts(
    { ...call, context: { ...call.context, folder, sandboxed: false } },
    { folder, conversationId: "00000000-0000-0000-0000-000000000000", classify: () => null, madeSince: null },
  );
  return Object.fromEntries(facts?.real ?? []);
}

test("a link leads to the file behind it, also where nothing is there yet", async () => {
  expect(await realOf("cat inside a.txt")).toEqual({ inside: path.join(folder, "a.txt") });
  expect(await realOf("echo x > nothing")).toEqual({ nothing: path.join(root, "not-there") });
  expect(await realOf("touch chain/x")).toEqual({ "chain/x": path.join(root, "not-there", "x") });
});

test("the calling program's own process stays its own, also behind a link", async () => {
  await symlink("/proc/self/cwd", path.join(folder, "own"));
  await symlink("/proc/thread-self", path.join(folder, "thread"));
  expect(await realOf("cat /proc/self/status /proc/self/cwd/x /proc/thread-self/status")).toEqual({});
  expect(await realOf("cat own/package.json thread/cwd/x")).toEqual({
    "own/package.json": "/proc/self/cwd/package.json",
    "thread/cwd/x": "/proc/thread-self/cwd/x",
  });
});

test("files of a conversation whose folder does not exist yet stay inside when the workspaces stand below a link", async () => {
  await mkdir(path.join(root, "other-disk"));
  await symlink("other-disk", path.join(root, "data"));
  const notYet = path.join(root, "data", "workspaces", "new");
  const call = shellCall("echo x > a.txt; cat ../b.txt");
  const facts = await folderFacts(
    { ...call, context: { ...call.context, folder: notYet, sandboxed: false } },
    { folder: notYet, conversationId: "00000000-0000-0000-0000-000000000000", classify: () => null, madeSince: null },
  );
  expect(Object.fromEntries(facts?.real ?? [])).toEqual({ "../b.txt": path.join(root, "other-disk", "workspaces", "b.txt") });
});

test("a link that leads to itself is followed no further", async () => {
  expect(await realOf("cat loop")).toEqual({});
});

test("in the sandbox, a folder that cannot be inspected completely says why, whatever the command names", async () => {
  const gapOf = async (sandboxed: boolean) => {
    const call = shellCall("npm test");
    const classify = (file: string) => (file === "nothing" || file === "dangling" ? ("sensitive" as const) : null);
    const facts = await folderFacts(
      { ...call, context: { ...call.context, folder, sandboxed } },
      { folder, classify, conversationId: "00000000-0000-0000-0000-000000000000", madeSince: null },
    );
    return facts?.gap;
  };
  expect(await gapOf(true)).toBe(null);
  await symlink("later", path.join(folder, "dangling"));
  expect(await gapOf(true)).toContain("The link dangling leads to later, which does not exist yet");
});
