import "server-only";
import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { processWide } from "@/server/platform/process-wide";
import { endProcesses, environmentOf, listProcesses, type ProcessFamily, readProcess } from "./processes";

const variable = "HANDRAIL_COMMAND";
/** Milliseconds between asking processes to end and killing them. */
export const killGraceMs = 2_000;

/** Commands that this process is running now. */
const running = () => processWide("runningCommands", () => new Set<ProcessFamily>());

/**
 * The environment variable that a command and all its descendants carry. It names the command, and us as its owner: our
 * process id, when we were started, and the system (or container) in which that id means us.
 */
export function ownedMark(): { name: string; value: string } {
  const startedAt = readProcess(process.pid)?.startedAt ?? 0;
  return { name: variable, value: [pidNamespace(), process.pid, startedAt, randomUUID()].join("_") };
}

/** Remembers a command until the returned function is called. */
export function trackCommand(family: ProcessFamily): () => void {
  running().add(family);
  return () => void running().delete(family);
}

const ending = () => processWide("endingCommands", () => ({ begun: false }));

/** Whether commands were ended for our own end: what one says from then on may not be its own outcome. */
export const areCommandsEnded = (): boolean => ending().begun;

/** Ends every command that this process is running. For our own end: nobody would wait for them any more. */
export async function endRunningCommands(): Promise<void> {
  ending().begun = true;
  await Promise.all([...running()].map((family) => endProcesses(family, { graceMs: killGraceMs })));
}

/**
 * Ends what is left of commands whose owner is gone without having ended them (a SIGKILL, a crash). For our start.
 * @returns how many commands there were.
 */
export async function endAbandonedCommands(): Promise<number> {
  const processes = (await listProcesses()) ?? [];
  const abandoned = new Map<string, ProcessFamily>();
  for (const { pid, session } of processes) {
    const mark = environmentOf(pid)
      .split("\0")
      .find((entry) => entry.startsWith(`${variable}=`));
    if (mark && isAbandoned(mark)) abandoned.set(`${mark} ${session}`, { leader: session, mark, since: 0 });
  }
  for (const family of abandoned.values()) await endProcesses(family, { graceMs: killGraceMs });
  return abandoned.size;
}

function isAbandoned(mark: string): boolean {
  const [namespace, pid, startedAt] = mark.slice(variable.length + 1).split("_");
  if (!pid || namespace !== pidNamespace()) return false;
  // Another process may have got the number since.
  return readProcess(Number(pid))?.startedAt !== Number(startedAt);
}

/** Process ids mean something only within one of these; containers have their own. */
function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "");
  } catch {
    return "none";
  }
}
