import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataFolder } from "./lock-data-folder";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a process that holds the folder's lock, as another Handrail would. */
async function holder(note: string) {
  await writeFile(path.join(folder, "lock.txt"), note);
  const program = `const { DatabaseSync } = require("node:sqlite");
    const lock = new DatabaseSync(${JSON.stringify(path.join(folder, "lock"))});
    lock.exec("begin exclusive");
    console.log("held");
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--no-warnings", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

test("a second instance is refused and told who is there", async () => {
  const other = await holder("process 4711");
  await expect(lockDataFolder(folder)).rejects.toThrow(/Another Handrail \(process 4711\) is using the data folder .*HANDRAIL_DATA_DIR/);
  other.kill("SIGKILL");
});

test("a killed instance leaves nothing that keeps the next one out, whatever its note says", async () => {
  const other = await holder(`process ${process.pid}`);
  other.kill("SIGKILL");
  await once(other, "exit");
  (await lockDataFolder(folder)).release();
});

test("an instance that is about to stop is waited for", async () => {
  const other = await holder("process 4711, stopping");
  const waitedFor: string[] = [];
  const lock = await lockDataFolder(folder, (who) => {
    waitedFor.push(who);
    other.kill("SIGKILL");
  });
  expect(waitedFor).toEqual(["process 4711"]);
  lock.release();
});
