import "server-only";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const firstPollMs = 2;
const maxPollMs = 40;

/**
 * Sends SIGTERM to every process of a sandbox except bubblewrap's two, which end after the last other process.
 * @param init process id, outside, of the sandbox's PID 1
 * @returns the number of signalled processes
 */
export function askToEnd(init: number): number {
  const pids = descendantsOf(init);
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGTERM");
    } catch {
      // The process ended in the meantime.
    }
  }
  return pids.length;
}

/** Kills a sandbox: when its PID 1 dies, the kernel kills all other processes of the namespace. */
export function killBox(init: number): void {
  try {
    process.kill(init, "SIGKILL");
  } catch {
    // The sandbox ended already.
  }
}

/**
 * Resolves when no process of a sandbox runs. PID 1 ends last and takes a while to free its namespaces; without children,
 * PID 1 is the only process left.
 */
export async function boxEnded(init: number, startedAt: string | null): Promise<void> {
  for (let pollMs = firstPollMs; isSame(init, startedAt) && hasChildren(init); pollMs = Math.min(pollMs * 2, maxPollMs)) await wait(pollMs);
}

/** Returns the start time of a process in kernel ticks; null when the process ended. */
export function readStartTime(pid: number): string | null {
  return fieldsOf(pid)?.[19] ?? null;
}

/** Returns true while the process runs and its id was not reused. */
function isSame(pid: number, startedAt: string | null): boolean {
  const fields = fieldsOf(pid);
  if (!fields || startedAt === null) return false;
  return fields[0] !== "Z" && fields[0] !== "X" && fields[19] === startedAt;
}

function hasChildren(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim() !== "";
  } catch {
    // A kernel may be built without this file.
    return true;
  }
}

function descendantsOf(ancestor: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(fieldsOf(Number(name))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  for (let level = [ancestor]; level.length > 0; ) {
    level = level.flatMap((pid) => children.get(pid) ?? []);
    found.push(...level);
  }
  return found;
}

/** Returns the fields of /proc/<pid>/stat from the state on; null when the process does not exist. */
function fieldsOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // pid (name) state parent group session ...; the name may hold spaces and brackets.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
