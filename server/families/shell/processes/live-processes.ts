import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import { and, eq, inArray, sql } from "drizzle-orm";
import { processes } from "@/db/schema";
import { areCommandsEnded, killGraceMs } from "@/server/capabilities/shell/running-commands";
import type { WorkspaceProcess } from "@/server/capabilities/shell/workspace-process";
import { db } from "@/server/platform/database/database";
import { throughOutages } from "@/server/platform/database/through-outages";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { ResultMask } from "@/server/secrets/mask-result";
import { readableText } from "../readable-text";
import { BoundedLog } from "./bounded-log";

/** A process that runs as a child of this server. */
export type LiveProcess = {
  id: string;
  pty: boolean;
  process: WorkspaceProcess;
  log: BoundedLog;
  /** Bytes printed so far. */
  printedBytes: number;
  /** Position up to which polls have shown the log. */
  shownTo: number;
  /** Resolves when the end of the process is stored. */
  finished: Promise<void>;
  /** Called at each piece of output and at the end. */
  changed: Set<() => void>;
  isKilled: boolean;
};

const saveEveryMs = 1_000;
/** Bytes read from one process in a second, because a process that prints without end would take all our time. */
const maxBytesPerSecond = 8_000_000;
const lastOutputMs = 1_000;

type Live = { byId: Map<string, LiveProcess>; timer: NodeJS.Timeout | null };
const live = () => processWide<Live>("liveProcesses", () => ({ byId: new Map(), timer: null }));

export const findLive = (id: string): LiveProcess | undefined => live().byId.get(id);

/** Number of processes that this server runs. */
export const countLive = (): number => live().byId.size;

/** Takes a started process into care: reads what it prints, stores the log each second, and stores its end. */
export function watchProcess(id: string, pty: boolean, process: WorkspaceProcess): LiveProcess {
  const one: LiveProcess = {
    id,
    pty,
    process,
    log: new BoundedLog(),
    printedBytes: 0,
    shownTo: 0,
    finished: Promise.resolve(),
    changed: new Set(),
    isKilled: false,
  };
  const read = Promise.all(process.output.map((stream) => readInto(one, stream)));
  one.finished = process.exited
    .catch((error): number => {
      log().warn({ err: error, processId: id }, "a process could not be started");
      return 127;
    })
    .then(async (exitCode) => {
      // A descendant that was killed this moment may have left output in the pipe.
      await Promise.race([read, wait(lastOutputMs, undefined, { ref: false })]);
      await storeEnd(one, exitCode);
    })
    .catch((error) => log().error({ err: error, processId: id }, "the end of a process could not be stored"))
    .finally(() => {
      live().byId.delete(id);
      tell(one);
    });
  live().byId.set(id, one);
  live().timer ??= setInterval(() => void saveAll(), saveEveryMs).unref();
  return one;
}

/** Ends a process, and waits until its end is stored. */
export async function endProcess(one: LiveProcess): Promise<void> {
  one.isKilled = true;
  await one.process.end();
  await one.finished;
}

/** Waits until the ends of all processes are stored, for the server's shutdown; the commands have been ended before. */
export async function storeEnds(): Promise<void> {
  await Promise.all([...live().byId.values()].map(({ finished }) => finished));
}

async function readInto(one: LiveProcess, stream: WorkspaceProcess["output"][number]): Promise<void> {
  const decoder = new TextDecoder();
  let second = 0;
  let bytesInSecond = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      one.log.append(decoder.decode(chunk, { stream: true }));
      one.printedBytes += chunk.length;
      tell(one);
      const now = Math.floor(performance.now() / 1_000);
      if (now !== second) bytesInSecond = 0;
      second = now;
      bytesInSecond += chunk.length;
      if (bytesInSecond > maxBytesPerSecond) await wait(1_000 - (performance.now() % 1_000), undefined, { ref: false });
    }
  } catch {
    // Linux reports the end of a terminal as an error (EIO).
  }
}

function tell({ changed }: LiveProcess): void {
  for (const hear of [...changed]) hear();
}

/** Stores the logs that grew, and ends processes that were asked to end or whose conversation was deleted. */
async function saveAll(): Promise<void> {
  const state = live();
  if (state.byId.size === 0) {
    if (state.timer) clearInterval(state.timer);
    state.timer = null;
    return;
  }
  try {
    const rows = await db()
      .select({ id: processes.id, killRequestedAt: processes.killRequestedAt, printedBytes: processes.printedBytes })
      .from(processes)
      .where(inArray(processes.id, [...state.byId.keys()]));
    for (const one of [...state.byId.values()]) {
      const row = rows.find(({ id }) => id === one.id);
      if (!row || row.killRequestedAt) void endProcess(one);
      else if (row.printedBytes !== one.printedBytes) await storeLog(one);
    }
  } catch (error) {
    log().warn({ err: error }, "the logs of processes could not be stored; tried again in a second");
  }
}

async function storeLog(one: LiveProcess): Promise<void> {
  await db()
    .update(processes)
    .set({ log: await storableLog(one), printedBytes: one.printedBytes })
    .where(and(eq(processes.id, one.id), eq(processes.status, "running")));
}

async function storeEnd(one: LiveProcess, exitCode: number): Promise<void> {
  const stored = await storableLog(one);
  await throughOutages(() =>
    db()
      .update(processes)
      .set({
        status: one.isKilled || areCommandsEnded() ? "killed" : "exited",
        exitCode,
        log: stored,
        printedBytes: one.printedBytes,
        finishedAt: sql`now()`,
      })
      .where(and(eq(processes.id, one.id), eq(processes.status, "running"), eq(processes.owner, bootId()))),
  );
}

/** Returns the log as it may be kept: readable, without NUL, which Postgres refuses, and with secrets masked. */
const storableLog = (one: LiveProcess): Promise<string> =>
  new ResultMask().maskText(readableText(one.log.since(0), one.pty).replaceAll("\0", "\uFFFD").toWellFormed());

/** The longest time that the end of a process takes. */
export const maxEndMs = killGraceMs + lastOutputMs + 2_000;
