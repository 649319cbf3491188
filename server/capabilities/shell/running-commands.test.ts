import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { listProcesses } from "@/server/testing/processes/list-processes";
import { temporaryFolder } from "@/server/testing/tool-context";
import { readProcess } from "./processes";
import { endAbandonedCommands, endRunningCommands, ownedMark } from "./running-commands";
import { workspaceShell } from "./workspace-shell";

/** Starts a process with the mark of a command, in its own session, with a child. */
function commandWithMark(value: string): number {
  const child = spawn("/bin/sh", ["-c", "sleep 600 & wait"], {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, HANDRAIL_COMMAND: value },
  });
  const pid = child.pid ?? 0;
  onTestFinished(() => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // ESRCH: the process ended, as the test expects.
    }
  });
  return pid;
}

const isAlive = (pid: number) => readProcess(pid) !== null;

test("commands whose owner is gone are ended at the next start, those of living owners are not", async () => {
  const [namespace, pid, startedAt] = ownedMark().value.split("_");
  const gone = commandWithMark([namespace, 4_000_000, startedAt, randomUUID()].join("_"));
  const ownerReplaced = commandWithMark([namespace, pid, "1.5", randomUUID()].join("_"));
  const ours = commandWithMark(ownedMark().value);
  const ofAnotherContainer = commandWithMark(["1", 4_000_000, startedAt, randomUUID()].join("_"));
  const ofNobody = commandWithMark("nonsense");

  expect(await endAbandonedCommands()).toBe(2);
  expect([gone, ownerReplaced].filter(isAlive)).toEqual([]);
  expect([ours, ofAnotherContainer, ofNobody].filter(isAlive)).toHaveLength(3);
  expect(await endAbandonedCommands()).toBe(0);
});

test("when we stop, the commands that we are running stop with us", async () => {
  const root = path.join(temporaryFolder(), "workspace");
  const running = workspaceShell(root).run("trap '' TERM; sleep 600 & echo $! > pid; wait; sleep 600", {
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    maxBytesPerStream: 100,
  });
  await vi.waitFor(() => expect(existsSync(path.join(root, "pid"))).toBe(true));
  expect(listProcesses(root).length).toBeGreaterThan(1);
  await endRunningCommands();
  expect((await running).exitCode).toBe(137);
  expect(listProcesses(root)).toEqual([]);
  await endRunningCommands();
});
