import "server-only";
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";
import { retry } from "@/server/platform/retry";

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
/** The group into which our own processes move, when our group gets groups below it. */
const serverFolder = "handrail-server";
const removal = { attempts: 50, firstPauseMs: 20, maxPauseMs: 20, factor: 1 };

/** The resources that control groups limit for a command as a whole, beside the limits of each process. */
export const groupedResources = (): { memory: boolean; processes: boolean } => {
  const limited = groupParents().flatMap(({ limits }) => Object.keys(limits(env().sandbox.limits)));
  return { memory: limited.includes("memory.max"), processes: limited.includes("pids.max") };
};

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
      for (const [file, value] of Object.entries(parent.limits(limits))) {
        // A kernel without swap has no file for it.
        if (file === "memory.swap.max" && !existsSync(path.join(folder, file))) continue;
        writeFileSync(path.join(folder, file), value);
      }
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
    const folder = versionTwoFolder();
    const parents = folder === null ? versionOne() : [{ folder, limits: limitsOfVersionTwo }];
    for (const { folder } of parents) removeAbandoned(folder);
    return parents;
  });
}

const limitsOfVersionTwo: Parent["limits"] = ({ memoryBytes, processes }) => ({
  "memory.max": String(memoryBytes),
  // Without it, a command that exceeds its memory would continue on the disk.
  "memory.swap.max": "0",
  "pids.max": String(processes),
});

/**
 * Finds or creates a cgroup v2 folder whose groups have the controllers: below the top group for root, else below our own
 * group, where systemd (`Delegate=yes`) or the container gave it to us.
 * @param mount the mounted cgroup file system
 * @param own our own group's path, as in /proc/self/cgroup; null when version 2 has none
 */
export function versionTwoFolder(mount = "/sys/fs/cgroup", own: string | null = ownGroup()): string | null {
  if (!existsSync(`${mount}/cgroup.controllers`)) return null;
  const above = [mount, ...(own === null ? [] : [path.join(mount, own)])];
  for (const folder of new Set(above)) {
    try {
      return makeGroupFolder(folder, { isTop: folder === mount });
    } catch {
      // The group belongs to somebody else, or lacks a controller.
    }
  }
  return null;
}

/** @throws Error of the system when the group above gives no controllers */
function makeGroupFolder(above: string, { isTop }: { isTop: boolean }): string {
  const folder = path.join(above, groupFolder);
  const gives = (group: string) => /memory.*pids|pids.*memory/s.test(readFileSync(`${group}/cgroup.subtree_control`, "utf8"));
  accessSync(`${above}/cgroup.procs`, constants.W_OK);
  if (!/memory.*pids|pids.*memory/s.test(readFileSync(`${above}/cgroup.controllers`, "utf8"))) throw new Error("no controllers");
  if (!gives(above)) {
    // Only a group without processes gives controllers to groups below it. The top group is exempt.
    if (!isTop) moveProcesses(above, path.join(above, serverFolder));
    writeFileSync(`${above}/cgroup.subtree_control`, "+memory +pids");
  }
  mkdirSync(folder, { recursive: true });
  if (!gives(folder)) writeFileSync(`${folder}/cgroup.subtree_control`, "+memory +pids");
  return folder;
}

function moveProcesses(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const pids = readFileSync(`${from}/cgroup.procs`, "utf8").split("\n").filter(Boolean);
  // The kernel takes one process id per write.
  for (const pid of pids) writeFileSync(`${to}/cgroup.procs`, pid);
}

/** Returns our own group of version 2; null when we have none. */
function ownGroup(): string | null {
  try {
    return /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Limits only the number of processes, because joining a v1 memory group takes 10 ms. */
function versionOne(): Parent[] {
  // The kernel counts the processes of every other user in the sandbox's user namespace.
  if (process.getuid?.() !== 0) return [];
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
    // A failure is ignored, because the result of the command does not depend on the removal.
    await retry(async () => rmdirSync(folder), removal).catch(() => {});
  }
}
