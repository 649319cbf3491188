import "server-only";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { messageOf } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { signalUntilGone } from "./group-signals";

/**
 * A crash (SIGKILL, out of memory) leaves no time to end the programs that we started, and not every one notices that
 * its input is closed. So each group is written down while it lives, and the next start ends what is left. A process is
 * known by its id and by when it started, because ids are used again.
 */
const Remembered = z.object({ started: z.string(), owner: z.number().int(), ownerStarted: z.string() });

const holder = () => processWide<{ folder: string | null }>("mcp.leftoverGroups", () => ({ folder: null }));
const fileOf = (folder: string, id: number) => path.join(folder, `${id}.json`);

/** Ends the groups of owners that are gone, and starts remembering ours in the same folder. Answers how many it ended. */
export async function endLeftoverGroups(folder: string): Promise<number> {
  holder().folder = folder;
  let ended = 0;
  try {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      const id = Number(/^(\d+)\.json$/.exec(name)?.[1] ?? 0);
      if (id > 1 && (await endIfLeft(folder, id))) ended += 1;
    }
  } catch (error) {
    log().warn({ reason: messageOf(error) }, "programs of MCP servers that an earlier run left behind could not be looked for");
  }
  return ended;
}

async function endIfLeft(folder: string, id: number): Promise<boolean> {
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

/** When a process started, in the words of the system that we are on; null when it is not there. */
async function startOf(pid: number): Promise<string | null> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => null);
  if (boot === null) return startToldByPs(pid);
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // The name in parentheses may contain anything, so the fields are counted from its end: the 22nd is the start.
  const ticks = status?.slice(status.lastIndexOf(")") + 2).split(" ")[19];
  return ticks ? `${boot.trim()} ${ticks}` : null;
}

async function startToldByPs(pid: number): Promise<string | null> {
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
