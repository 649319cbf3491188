import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@/server/testing/tool-context";
import { versionTwoFolder } from "./control-groups";

/** Lays out a group as the kernel shows it. The rules of the kernel are not there, so only our own steps are tested. */
function layOut(mount: string, group: string, { controllers = "cpu memory pids", subtree = "", procs = "" } = {}): string {
  const folder = path.join(mount, group);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/cgroup.controllers`, `${controllers}\n`);
  writeFileSync(`${folder}/cgroup.subtree_control`, `${subtree}\n`);
  writeFileSync(`${folder}/cgroup.procs`, procs);
  return folder;
}

/** Lays out the group for commands, which the kernel makes when its folder is made. */
const forCommands = (mount: string, group = "") => layOut(mount, path.join(group, "handrail"), {});

test("the top group gives controllers, where we may write it, and keeps its processes", () => {
  const mount = temporaryFolder();
  layOut(mount, "", { procs: "1\n" });
  const folder = forCommands(mount);
  expect(versionTwoFolder(mount, "/")).toBe(folder);
  expect(readFileSync(`${mount}/cgroup.subtree_control`, "utf8")).toBe("+memory +pids");
  expect(readFileSync(`${folder}/cgroup.subtree_control`, "utf8")).toBe("+memory +pids");
  expect(existsSync(`${mount}/handrail-server`)).toBe(false);
});

test("a group that was delegated to us moves its processes aside, because only an empty group gives controllers", () => {
  const mount = temporaryFolder();
  layOut(mount, "", { controllers: "cpu" });
  const own = layOut(mount, "system.slice/handrail.service", { procs: "41\n42\n" });
  const folder = forCommands(mount, "system.slice/handrail.service");
  expect(versionTwoFolder(mount, "/system.slice/handrail.service")).toBe(folder);
  expect(readFileSync(`${own}/handrail-server/cgroup.procs`, "utf8")).toBe("42");
  expect(readFileSync(`${own}/cgroup.subtree_control`, "utf8")).toBe("+memory +pids");
});

test("a group that gives its controllers already is left as it is", () => {
  const mount = temporaryFolder();
  layOut(mount, "", { controllers: "cpu" });
  const own = layOut(mount, "own", { subtree: "memory pids", procs: "41\n" });
  const folder = forCommands(mount, "own");
  expect(versionTwoFolder(mount, "/own")).toBe(folder);
  expect(readFileSync(`${own}/cgroup.subtree_control`, "utf8")).toBe("memory pids\n");
  expect(existsSync(`${own}/handrail-server`)).toBe(false);
});

test.each([
  ["no controllers", { controllers: "cpu io" }],
  ["only some", { controllers: "memory" }],
])("groups with %s limit nothing", (_what, given) => {
  const mount = temporaryFolder();
  layOut(mount, "", given);
  layOut(mount, "own", given);
  expect(versionTwoFolder(mount, "/own")).toBe(null);
});

test("without a file system of version 2 there is none", () => {
  expect(versionTwoFolder(temporaryFolder(), "/")).toBe(null);
  expect(versionTwoFolder(temporaryFolder(), null)).toBe(null);
});
