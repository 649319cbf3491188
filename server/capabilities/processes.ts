import "server-only";
import { readdirSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { setImmediate as breathe, setTimeout as wait } from "node:timers/promises";

/** The processes that one command started. */
export type ProcessFamily = {
  /** Id of the command's process group and session: the pid of the process that leads them. */
  leader: number;
  /** Stands in the environment of the leader, so that a descendant that left the group and the session is still known. */
  mark: string;
  /** Seconds since the machine's start when the leader was started; what is older is no descendant. */
  since: number;
};

/** The family of a process that was just started. */
export function familyOf(leader: number, mark: string): ProcessFamily {
  return { leader, mark, since: uptime() - startSlackSeconds };
}

const startSlackSeconds = 2;
const ticksPerSecond = 100;
const readsAtATime = 50;
const firstPollMs = 20;
const maxPollMs = 160;
const maxKillRounds = 30;

/**
 * Ends every process of a family: asks (SIGTERM), waits `graceMs`, then kills, again and again until none is left, so
 * that neither ignoring the signal nor forking faster than we look helps. Returns at once when there is none.
 */
export async function endProcesses(family: ProcessFamily, { graceMs }: { graceMs: number }): Promise<void> {
  if ((await signalAll(family, "SIGTERM")) === 0) return;
  const deadline = Date.now() + graceMs;
  for (let pollMs = firstPollMs; Date.now() < deadline; pollMs = Math.min(pollMs * 2, maxPollMs)) {
    await wait(pollMs);
    if ((await aliveOf(family)).count === 0) return;
  }
  for (let round = 0; round < maxKillRounds; round += 1) {
    if ((await signalAll(family, "SIGKILL")) === 0) return;
    await wait(firstPollMs);
  }
}

async function signalAll(family: ProcessFamily, signal: NodeJS.Signals): Promise<number> {
  const { count, hasGroup, outside } = await aliveOf(family);
  // One signal to the group reaches processes that are just being forked; those outside of it are signalled one by one.
  if (hasGroup) send(-family.leader, signal);
  for (const pid of outside) send(pid, signal);
  return count;
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

export type Process = {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Seconds since the machine's start. */
  startedAt: number;
};

/** Living processes of a family: of its group or session, carrying its mark, or descending from one that does. */
async function aliveOf({ leader, mark, since }: ProcessFamily): Promise<{ count: number; hasGroup: boolean; outside: number[] }> {
  const processes = await listProcesses();
  // Without /proc only the group can be seen.
  if (!processes) {
    const hasGroup = send(-leader, 0);
    return { count: hasGroup ? 1 : 0, hasGroup, outside: [] };
  }

  const family = new Set<number>();
  for (const { pid, group, session, startedAt } of processes) {
    if (group === leader || session === leader || (startedAt >= since && environmentOf(pid).includes(mark))) family.add(pid);
  }
  for (let grown = true; grown; ) {
    const before = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
    grown = family.size > before;
  }
  family.delete(process.pid);
  const inGroup = new Set(processes.filter(({ group }) => group === leader).map(({ pid }) => pid));
  return { count: family.size, hasGroup: inGroup.size > 0, outside: [...family].filter((pid) => !inGroup.has(pid)) };
}

/** Everything that runs, without what has ended and only waits to be collected; null where there is no /proc. */
export async function listProcesses(): Promise<Process[] | null> {
  const pids = entriesOf("/proc").filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return null;
  const processes: Process[] = [];
  for (const [index, pid] of pids.entries()) {
    // Files of /proc are memory: reading them here is several times faster than in other threads. Others get their turn.
    if (index % readsAtATime === readsAtATime - 1) await breathe();
    const process = readProcess(Number(pid));
    if (process) processes.push(process);
  }
  return processes;
}

/** One living process; null when there is none, or no /proc. */
export function readProcess(pid: number): Process | null {
  const stat = read(`/proc/${pid}/stat`);
  // pid (name) state parent group session ...; the name may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  if (!parent || state === "Z" || state === "X") return null;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: Number(fields[19]) / ticksPerSecond,
  };
}

/** The environment that a process was started with, a NUL between two variables; empty when it is not ours to look at. */
export function environmentOf(pid: number): string {
  return read(`/proc/${pid}/environ`);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The text of a file of /proc; empty when the process is gone or not ours to look at. */
function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
