import "server-only";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/** The processes that one command started. */
export type ProcessFamily = {
  /** Id of the command's process group and session: the pid of the process that leads them. */
  leader: number;
  /** Stands in the environment of the leader, so that a descendant that left the group and the session is still known. */
  mark: string;
};

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
    if ((await aliveOf(family)).pids.length === 0) return;
  }
  for (let round = 0; round < maxKillRounds; round += 1) {
    if ((await signalAll(family, "SIGKILL")) === 0) return;
    await wait(firstPollMs);
  }
}

async function signalAll(family: ProcessFamily, signal: NodeJS.Signals): Promise<number> {
  const { pids, hasGroup } = await aliveOf(family);
  // One signal to the group reaches processes that are just being forked; those outside of it are signalled one by one.
  if (hasGroup) send(-family.leader, signal);
  for (const pid of pids) send(pid, signal);
  return pids.length;
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

type Process = { pid: number; parent: number; group: number; session: number };

/** Living processes of a family: of its group or session, carrying its mark, or descending from one that does. */
async function aliveOf({ leader, mark }: ProcessFamily): Promise<{ pids: number[]; hasGroup: boolean }> {
  const processes = await listProcesses();
  // Without /proc only the group can be seen.
  if (!processes) return send(-leader, 0) ? { pids: [leader], hasGroup: true } : { pids: [], hasGroup: false };

  const family = new Set<number>();
  for (const { pid, group, session } of processes) {
    if (group === leader || session === leader || (await environmentOf(pid)).includes(mark)) family.add(pid);
  }
  for (let grown = true; grown; ) {
    const before = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
    grown = family.size > before;
  }
  family.delete(process.pid);
  return { pids: [...family], hasGroup: processes.some(({ group }) => group === leader) };
}

/** Everything that runs, without what has ended and only waits to be collected; null where there is no /proc. */
async function listProcesses(): Promise<Process[] | null> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return null;
  const processes = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").then(parseStat, () => null)));
  return processes.filter((process) => process !== null);
}

function parseStat(stat: string): Process | null {
  // pid (name) state parent group session ...; the name may hold spaces and brackets.
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return null;
  return { pid: Number.parseInt(stat, 10), parent: Number(parent), group: Number(group), session: Number(session) };
}

async function environmentOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
}
