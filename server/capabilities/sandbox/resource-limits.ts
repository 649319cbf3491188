import "server-only";
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";
import { systemProgram } from "./bubblewrap";

/**
 * Returns the words in front of a command that limit each process's resources and the number of processes. Memory is
 * RLIMIT_DATA, because Node and Java reserve far more address space than they use. The limits are set inside, so that the
 * kernel counts processes in the sandbox's own user namespace. The kernel exempts root from that count: see
 * `commandGroup`.
 * @param isOutside the words stand in front of bubblewrap, where the count of processes would include our own
 */
export function limitingWords({ hasTimeLimit = true, isOutside = false }: { hasTimeLimit?: boolean; isOutside?: boolean } = {}): string[] {
  const program = systemProgram("prlimit");
  if (!program) return [];
  const { memoryBytes, processes, fileBytes, cpuSeconds } = env().sandbox.limits;
  const time = hasTimeLimit ? [`--cpu=${cpuSeconds}`] : [];
  const count = isOutside ? [] : [`--nproc=${processes}`];
  return [program, `--data=${memoryBytes}`, ...count, `--fsize=${fileBytes}`, ...time, "--core=0", "--"];
}

/** The control groups of one command and all its processes. */
export type CommandGroup = {
  /** `cgroup.procs` files: writing a process id there joins the group. */
  joinFiles: readonly string[];
  /** Moves a process, and its later children, into the groups. */
  join(pid: number): Promise<void>;
  /** Removes the groups; the command must have ended. */
  remove(): Promise<void>;
};

type Parent = { folder: string; limits: (limits: { memoryBytes: number; processes: number }) => Record<string, string> };

const groupFolder = "handrail";
const removalTries = 50;
const removalPauseMs = 10;

/** Returns true when control groups can limit a command as a whole, beside the limits of each process. */
export const hasCommandGroups = (): boolean => groupParents().length > 0;

/** Creates control groups for one command; null when this process may not. */
export function commandGroup(): CommandGroup | null {
  const { limits } = env().sandbox;
  const name = `${process.pid}-${randomUUID()}`;
  const made: string[] = [];
  try {
    for (const parent of groupParents()) {
      const folder = path.join(parent.folder, name);
      mkdirSync(folder);
      made.push(folder);
      for (const [file, value] of Object.entries(parent.limits(limits))) writeFileSync(path.join(folder, file), value);
    }
  } catch {
    void removeAll(made);
    return null;
  }
  if (made.length === 0) return null;
  const joinFiles = made.map((folder) => path.join(folder, "cgroup.procs"));
  return {
    joinFiles,
    // Asynchronous, because the kernel can block this write for some milliseconds.
    join: async (pid) => {
      for (const file of joinFiles) await writeFile(file, String(pid));
    },
    remove: () => removeAll(made),
  };
}

/** Finds, once per process, the folders in which groups can be created: version 2, else version 1. */
function groupParents(): readonly Parent[] {
  return processWide("sandboxGroupParents", () => {
    // The kernel counts the processes of every other user in the sandbox's user namespace, so only root needs groups.
    if (process.getuid?.() !== 0) return [];
    const parents = [versionTwo, versionOne].map((find) => find()).find((found) => found.length > 0) ?? [];
    for (const { folder } of parents) removeAbandoned(folder);
    return parents;
  });
}

/** Uses the top group: cgroup v2 delegates controllers only from a group without processes, and the top group is exempt. */
function versionTwo(): Parent[] {
  const top = "/sys/fs/cgroup";
  if (!existsSync(`${top}/cgroup.controllers`)) return [];
  const folder = path.join(top, groupFolder);
  try {
    const give = (file: string) => writeFileSync(file, "+memory +pids");
    if (!/memory.*pids|pids.*memory/s.test(readFileSync(`${top}/cgroup.subtree_control`, "utf8"))) give(`${top}/cgroup.subtree_control`);
    mkdirSync(folder, { recursive: true });
    give(`${folder}/cgroup.subtree_control`);
  } catch {
    return [];
  }
  return [
    {
      folder,
      limits: ({ memoryBytes, processes }) => ({ "memory.max": String(memoryBytes), "pids.max": String(processes) }),
    },
  ];
}

/** Limits only the number of processes, because joining a v1 memory group takes 10 ms. */
function versionOne(): Parent[] {
  const top = "/sys/fs/cgroup/pids";
  const folder = path.join(top, groupFolder);
  try {
    accessSync(`${top}/cgroup.procs`, constants.W_OK);
    mkdirSync(folder, { recursive: true });
  } catch {
    return [];
  }
  return [{ folder, limits: ({ processes }) => ({ "pids.max": String(processes) }) }];
}

/** Removes the groups of servers that were killed; a group with processes stays. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (existsSync(`/proc/${name.split("-")[0]}`) || !/^\d+-/.test(name)) continue;
    try {
      rmdirSync(path.join(folder, name));
    } catch {
      // A process of another container is still in the group.
    }
  }
}

/** Removes the groups with retries, because the kernel frees a group a moment after its last process ended. */
async function removeAll(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (let attempt = 0; attempt < removalTries; attempt += 1) {
      try {
        rmdirSync(folder);
        break;
      } catch {
        await wait(removalPauseMs);
      }
    }
  }
}
