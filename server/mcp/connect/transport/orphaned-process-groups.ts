import "server-only";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { signalUntilGone } from "./group-signals";

/**
 * The record of a live process group. A crash (SIGKILL, out of memory) leaves no time to end the programs, and not every
 * program notices its closed input, so the next start ends the recorded groups. A process is identified by its id and
 * start time, because ids are reused.
 */
const Remembered = z.object({ started: z.string(), owner: z.number().int(), ownerStarted: z.string() });

const holder = () => processWide<{ folder: string | null }>("mcp.orphanedGroups", () => ({ folder: null }));
const fileOf = (folder: string, id: number) => path.join(folder, `${id}.json`);

/** Ends the groups of dead owners, and records this process's groups in the same folder from now on. Returns the count. */
export async function endOrphanedGroups(folder: string): Promise<number> {
  holder().folder = folder;
  let ended = 0;
  try {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      const id = Number(/^(\d+)\.json$/.exec(name)?.[1] ?? 0);
      if (id > 1 && (await endIfOrphaned(folder, id))) ended += 1;
    }
  } catch (error) {
    log().warn({ reason: toErrorMessage(error) }, "programs of MCP servers that an earlier run left behind could not be looked for");
  }
  return ended;
}

async function endIfOrphaned(folder: string, id: number): Promise<boolean> {
  const remembered = Remembered.safeParse(parsedOrNull(await readFile(fileOf(folder, id), "utf8"))).data;
  if (remembered && (await startOf(remembered.owner)) === remembered.ownerStarted) return false;
  const isSame = remembered !== undefined && (await startOf(id)) === remembered.started;
  if (isSame) {
    log().warn({ group: id }, "ending a program of an MCP server that an earlier run left behind");
    await signalUntilGone(id);
  }
  await rm(fileOf(folder, id), { force: true });
  return isSame;
}

export async function rememberGroup(id: number): Promise<void> {
  const { folder } = holder();
  if (!folder) return;
  const [started, ownerStarted] = await Promise.all([startOf(id), startOf(process.pid)]);
  if (started === null || ownerStarted === null) return;
  const remembered: z.infer<typeof Remembered> = { started, owner: process.pid, ownerStarted };
  await writeFile(fileOf(folder, id), JSON.stringify(remembered)).catch(() => {});
}

export async function forgetGroup(id: number): Promise<void> {
  const { folder } = holder();
  if (folder) await rm(fileOf(folder, id), { force: true }).catch(() => {});
}

/** Returns the start time of a process in the system's own format; null when the process does not exist. */
async function startOf(pid: number): Promise<string | null> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => null);
  if (boot === null) return readStartTimeFromPs(pid);
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // The program name in parentheses may contain spaces and parentheses, so fields are counted from its end. Field 22 is the
  // start time.
  const ticks = status?.slice(status.lastIndexOf(")") + 2).split(" ")[19];
  return ticks ? `${boot.trim()} ${ticks}` : null;
}

async function readStartTimeFromPs(pid: number): Promise<string | null> {
  const told = await promisify(execFile)("ps", ["-o", "lstart=", "-p", `${pid}`]).catch(() => null);
  return told?.stdout.trim() || null;
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
