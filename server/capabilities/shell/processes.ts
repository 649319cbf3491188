import "server-only";
import { readdirSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { setTimeout as wait, setImmediate as yieldToEventLoop } from "node:timers/promises";

/** The processes that one command started. */
export type ProcessFamily = {
  /** Id of the command's process group and session: the pid of the process that leads them. */
  leader: number;
  /** A text in the leader's environment, which identifies descendants that left the process group and the session. */
  mark: string;
  /** Start of the leader, in seconds since boot; an older process is no descendant. */
  since: number;
};

/** Returns the family of a process that was just started. */
export function makeProcessFamily(leader: number, mark: string): ProcessFamily {
  return { leader, mark, since: uptime() - startSlackSeconds };
}

const startSlackSeconds = 2;
const ticksPerSecond = 100;
const readsAtATime = 50;
const firstPollMs = 20;
const maxPollMs = 160;
const maxKillRounds = 30;

/**
 * Ends every process of a family. Sends SIGTERM, waits `graceMs`, then sends SIGKILL repeatedly until no process is left,
 * so that neither an ignored signal nor fast forking helps. Returns at once for an empty family.
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
  // A signal to the group also reaches processes that are being forked now. Processes outside the group are signalled one by one.
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
  /** Seconds since boot. */
  startedAt: number;
};

/** Finds the living processes of a family: its group or session, its mark, or a descendant of such a process. */
async function aliveOf({ leader, mark, since }: ProcessFamily): Promise<{ count: number; hasGroup: boolean; outside: number[] }> {
  const processes = await listProcesses();
  // Without /proc only the group is visible.
  if (!processes) {
    const hasGroup = send(-leader, 0);
    return { count: hasGroup ? 1 : 0, hasGroup, outside: [] };
  }

  const family = new Set<number>();
  for (const { pid, group, session, startedAt } of processes) {
    if (group === leader || session === leader || (startedAt >= since && readEnvironment(pid).includes(mark))) family.add(pid);
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

/** Lists all processes except zombies; null without /proc. */
export async function listProcesses(): Promise<Process[] | null> {
  const pids = entriesOf("/proc").filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return null;
  const processes: Process[] = [];
  for (const [index, pid] of pids.entries()) {
    // /proc files live in memory: reading them here is several times faster than in libuv's threads. We yield to other work.
    if (index % readsAtATime === readsAtATime - 1) await yieldToEventLoop();
    const process = readProcess(Number(pid));
    if (process) processes.push(process);
  }
  return processes;
}

/** Returns one living process; null when the process does not exist, or without /proc. */
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

/** Returns a process's initial environment, variables separated by NUL; empty when we may not read it. */
export function readEnvironment(pid: number): string {
  return read(`/proc/${pid}/environ`);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Reads a file of /proc; returns "" when the process ended or we may not read the file. */
function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
