import "server-only";
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { processWide } from "@/server/platform/process-wide";

/** The bubblewrap of this machine, with its support for flags that older versions lack. */
export type Bubblewrap = {
  program: string;
  canDisableUserNamespaces: boolean;
  canLimitTmpfs: boolean;
  /** Supports binding an open file, so that a link cannot replace a path after its check. */
  canBindDescriptors: boolean;
};

/** Install folders of system programs. PATH is not used, because PATH may name folders that a command can write. */
const programFolders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/run/current-system/sw/bin"];

/** Finds bubblewrap once per process; null when it is not installed. */
export function bubblewrap(): Bubblewrap | null {
  return processWide<{ found: Bubblewrap | null }>("bubblewrap", () => ({ found: find() })).found;
}

/** Returns the absolute path of a system program; null when it is not installed. */
export function systemProgram(name: string): string | null {
  const files = programFolders.map((folder) => path.join(folder, name));
  return files.find(isExecutable) ?? null;
}

function find(): Bubblewrap | null {
  const program = systemProgram("bwrap");
  if (!program) return null;
  const { stdout } = spawnSync(program, ["--help"], { encoding: "utf8", env: environment, timeout: 5_000 });
  const knows = (flag: string) => (stdout ?? "").includes(` ${flag} `);
  return {
    program,
    canDisableUserNamespaces: knows("--disable-userns"),
    canLimitTmpfs: knows("--size"),
    canBindDescriptors: knows("--bind-fd") && knows("--ro-bind-fd"),
  };
}

// Next's types require NODE_ENV in every environment.
const environment = {} as NodeJS.ProcessEnv;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
