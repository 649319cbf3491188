import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "@/server/testing/tool-context";
import { endOrphanedGroups } from "./orphaned-process-groups";
import { startProcessGroup } from "./process-group";

process.env.HANDRAIL_LOG_LEVEL = "silent";
const stubborn = path.resolve("server/testing/mcp/hostile-mcp-server.mjs");
const isAlive = (pid: number) =>
  execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" })
    .split("\n")
    .some((line) => new RegExp(`^\\s*${pid}\\s+[^Z]`).test(line));

async function startStubborn(folder: string) {
  await endOrphanedGroups(folder);
  const group = startProcessGroup({ command: process.execPath, args: [stubborn, "stubborn"], env: {}, cwd: "/" });
  onTestFinished(() => group.stop());
  const pid = group.child.pid ?? 0;
  const file = path.join(folder, `${pid}.json`);
  await expect.poll(() => readdirSync(folder)).toContain(`${pid}.json`);
  return { group, pid, file };
}

/** Returns the id of an ended process, like the owner after a crash. */
async function gonePid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  return child.pid ?? 0;
}

test("a program whose owner crashed is ended by the next start", async () => {
  const folder = temporaryFolder();
  const { pid, file } = await startStubborn(folder);
  const remembered = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...remembered, owner: await gonePid() }));
  expect(await endOrphanedGroups(folder)).toBe(1);
  expect(isAlive(pid)).toBe(false);
});

test("a program whose owner lives is left alone, and forgotten when it ends", async () => {
  const folder = temporaryFolder();
  const { group, pid } = await startStubborn(folder);
  expect(await endOrphanedGroups(folder)).toBe(0);
  expect(isAlive(pid)).toBe(true);
  await group.stop();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});

test("a process that only has the number of one of ours is left alone", async () => {
  const folder = temporaryFolder();
  const { pid, file } = await startStubborn(folder);
  const remembered = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...remembered, owner: await gonePid(), started: "1" }));
  await writeFile(path.join(folder, "1234567.json"), "{");
  expect(await endOrphanedGroups(folder)).toBe(0);
  expect(isAlive(pid)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});
