import "server-only";
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "./start-error";

/** Reads the pid and readiness that Postgres wrote to `postmaster.pid`; null without the file. */
export function readPostmaster(cluster: string): { pid: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === "ready" } : null;
  } catch {
    return null;
  }
}

/**
 * Stops a Postgres that a killed Handrail left running in this folder, or removes a stale `postmaster.pid`. The caller
 * holds the data folder's lock, so the Postgres cannot belong to a living Handrail.
 */
export async function clearLeftovers(cluster: string): Promise<"nothing" | "stopped" | "stale"> {
  const left = readPostmaster(cluster);
  if (!left) return "nothing";
  if (!isPostmasterOf(left.pid, cluster)) {
    // Removes the file, because another program may have the process id by now and Postgres would then refuse to start.
    rmSync(path.join(cluster, "postmaster.pid"), { force: true });
    return "stale";
  }
  for (const [signal, waitMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 10_000],
  ] as const) {
    signalIfAlive(left.pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!isPostmasterOf(left.pid, cluster)) return "stopped";
      await pause(20);
    }
  }
  throw new StartError(`A Postgres (process ${left.pid}) still runs in ${cluster} and does not stop: end it and start again.`);
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended in between, as wanted.
  }
}

/**
 * Returns whether the process is this folder's postmaster: another program may reuse the id, but a postmaster works in
 * its database's folder.
 */
function isPostmasterOf(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(cluster);
  } catch {
    return false;
  }
}
