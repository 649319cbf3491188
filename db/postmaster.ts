import "server-only";
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "./start-error";

/** What Postgres says about itself in `postmaster.pid`; null when there is none. */
export function postmasterOf(cluster: string): { pid: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === "ready" } : null;
  } catch {
    return null;
  }
}

/**
 * Stops a Postgres that a killed Handrail left running in this folder, and clears away the `postmaster.pid` of one that
 * is gone. Whoever calls this holds the data folder's lock, so it cannot belong to a living Handrail.
 */
export async function clearLeftovers(cluster: string): Promise<"nothing" | "stopped" | "stale"> {
  const left = postmasterOf(cluster);
  if (!left) return "nothing";
  if (!isPostmasterOf(left.pid, cluster)) {
    // The number may belong to another program by now; Postgres itself would then refuse to start.
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
    // It went away in between, which is what we want.
  }
}

/** A process id can be used again by anybody; a postmaster is one that works in the folder of its database. */
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
