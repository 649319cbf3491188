import { readdirSync, readlinkSync } from "node:fs";

/** Lists processes with this working folder, inside and outside of a sandbox, because a sandbox has its own process ids. */
export function listProcesses(root: string): string[] {
  const workingFolder = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return "";
    }
  };
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && workingFolder(name).startsWith(root));
}
