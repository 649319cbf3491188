import "server-only";
import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { processWide } from "@/server/platform/process-wide";
import { endProcesses, listProcesses, type ProcessFamily, readEnvironment, readProcess } from "./processes";

const variable = "HANDRAIL_COMMAND";
/** Milliseconds between SIGTERM and SIGKILL. */
export const killGraceMs = 2_000;

type Endable = { end(): Promise<void> };

/** Commands that this process is running now. */
const running = () => processWide("runningCommands", () => new Set<Endable>());

/**
 * Returns the environment variable that a command and all its descendants carry. Its value names the command and our
 * process as its owner: our PID namespace (a container has its own), our process id and our start time.
 */
export function ownedMark(): { name: string; value: string } {
  const startedAt = readProcess(process.pid)?.startedAt ?? 0;
  return { name: variable, value: [pidNamespace(), process.pid, startedAt, randomUUID()].join("_") };
}

/** Remembers a command until the returned function is called. */
export function trackCommand(command: Endable): () => void {
  running().add(command);
  return () => void running().delete(command);
}

const ending = () => processWide("endingCommands", () => ({ begun: false }));

/** Returns true once our shutdown has begun to end commands: an outcome from then on may be caused by the shutdown. */
export const areCommandsEnded = (): boolean => ending().begun;

/** Ends every command of this process. For our shutdown only, because no caller waits for the commands any more. */
export async function endRunningCommands(): Promise<void> {
  ending().begun = true;
  await Promise.all([...running()].map((command) => command.end()));
}

/**
 * Ends commands whose owner died without ending them (a SIGKILL, a crash). For our startup.
 * @returns the number of ended commands
 */
export async function endAbandonedCommands(): Promise<number> {
  const processes = (await listProcesses()) ?? [];
  const abandoned = new Map<string, ProcessFamily>();
  for (const { pid, session } of processes) {
    const mark = readEnvironment(pid)
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
  // The kernel may have reused the process id, so the start time is compared too.
  return readProcess(Number(pid))?.startedAt !== Number(startedAt);
}

/** Returns the id of our PID namespace: process ids are unique only within one namespace, and containers have their own. */
function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "");
  } catch {
    return "none";
  }
}
