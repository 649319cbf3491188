import "server-only";
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { and, asc, desc, eq, inArray, ne, sql } from "drizzle-orm";
import type { ProgramPlace } from "@/contracts/tools/shell";
import { processes as table } from "@/db/schema";
import { type CallScope, defineCapability } from "@/server/capabilities/define-capability";
import type { Openings } from "@/server/capabilities/sandbox/openings";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { type ProcessStart, startWorkspaceProcess } from "@/server/capabilities/shell/workspace-process";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { bootId, newId } from "@/server/platform/ids";
import { maskInText } from "@/server/secrets/mask-secrets";
import { readableText } from "../readable-text";
import { registryNote } from "../registry-note";
import { countLive, endProcess, findLive, type LiveProcess, maxEndMs, watchProcess } from "./live-processes";
import { settleLostProcesses, whileStarting } from "./settle-lost";

/** The long-running processes of one conversation, described in sentences for the model. */
export type ProcessesCapability = {
  /** Starts a process, and answers its name and what it printed at first. @throws AppError at the limit */
  start: (start: ProcessStart) => Promise<string>;
  /** Answers what a process printed since the last poll; waits up to `seconds` for output or the end. */
  poll: (name: string, options: { seconds: number; signal: AbortSignal }) => Promise<string>;
  /** Writes to the input of a process. @throws AppError when the process has ended */
  write: (name: string, text: string, options: { isClosed: boolean }) => Promise<string>;
  /** Answers the beginning and the end of everything that a process printed. */
  log: (name: string) => Promise<string>;
  kill: (name: string) => Promise<string>;
  list: () => Promise<string>;
};

export const maxRunning = 8;
const maxRunningHere = 100;
/** Finished processes that a conversation keeps. */
const maxFinished = 50;
const firstOutputMs = 700;
const writeAnswerMs = 700;
const lookAgainMs = 250;

export const processes = defineCapability({
  name: "processes",
  title: "Long-running processes of the conversation",
  isOfConversation: true,
  create: processesOf,
});

function processesOf(scope: CallScope): ProcessesCapability {
  const { conversationId } = scope;
  const find = (name: string) => findRow(conversationId, name);
  return {
    start: (start) => startProcess(scope, start),
    poll: async (name, { seconds, signal }) => {
      const { id } = await find(name);
      const live = findLive(id);
      if (live && live.shownTo === live.log.length) await nextChange(live, seconds * 1_000, signal);
      return answerOf(await find(name), live);
    },
    write: async (name, text, { isClosed }) => {
      const row = await find(name);
      const live = findLive(row.id);
      if (row.status !== "running") throw new AppError("conflict", `${lineOf(row)}. It takes no more input; start it again.`);
      if (!live) throw new AppError("unavailable", `${name} runs on another server of Handrail, which alone can write to it. Try again.`);
      live.process.input.write(text);
      if (isClosed) live.process.input.end(live.pty ? "\u0004" : undefined);
      await nextChange(live, writeAnswerMs, null);
      return answerOf(await find(name), live);
    },
    log: async (name) => {
      const row = await find(name);
      const live = findLive(row.id);
      return textOf(row, live ? readableText(live.log.since(0), live.pty) : row.log);
    },
    kill: async (name) => {
      const row = await find(name);
      const live = findLive(row.id);
      if (live) await endProcess(live);
      else if (row.status === "running") await askToKill(row.id);
      return `${lineOf(await find(name))}.`;
    },
    list: async () => {
      await settleLostProcesses(conversationId);
      const rows = await selectRows(conversationId)
        .orderBy(desc(table.id))
        .limit(maxRunning + maxFinished);
      return rows.length === 0 ? "No processes in this conversation." : rows.map(lineOf).join("\n");
    },
  };
}

/** Starts a process. Its row is written first, so that no process runs that nobody can find. */
async function startProcess(
  { conversationId, folder, openings, classify, network, keepCopies }: CallScope,
  start: ProcessStart,
): Promise<string> {
  await settleLostProcesses(conversationId);
  const known = await db()
    .select({ id: table.id, status: table.status })
    .from(table)
    .where(eq(table.conversationId, conversationId))
    .orderBy(asc(table.id));
  const running = known.filter(({ status }) => status === "running");
  if (running.length >= maxRunning || countLive() >= maxRunningHere) {
    throw new AppError(
      "conflict",
      `${running.length} processes run in this conversation, which is the limit. End one with the action kill first.`,
    );
  }
  const tooOld = known.filter(({ status }) => status !== "running").slice(0, -maxFinished);
  if (tooOld.length > 0)
    await db()
      .delete(table)
      .where(
        and(
          ne(table.status, "running"),
          inArray(
            table.id,
            tooOld.map(({ id }) => id),
          ),
        ),
      );
  const id = newId();
  const name = `proc_${randomBytes(4).toString("hex")}`;
  const opened = openings();
  const row = {
    ...{ id, conversationId, name, command: maskInText(start.command), folder: start.cwd ?? ".", pty: start.pty, owner: bootId() },
    place: placeOf(opened),
  };
  const live = await whileStarting(id, async () => {
    await db().insert(table).values(row);
    try {
      const options = { conversationId, openings: opened, classify, network: network(), keepCopies };
      return watchProcess(id, start.pty, await startWorkspaceProcess(folder, start, options));
    } catch (error) {
      await db().delete(table).where(eq(table.id, id));
      throw error;
    }
  });
  await nextChange(live, firstOutputMs, null);
  return answerOf(await findRow(conversationId, name), live);
}

/** Returns what stays open to a process for as long as it runs. */
function placeOf({ host, hosts, readable, writable }: Openings): ProgramPlace {
  return host || !sandboxStatus().isOn ? { outside: true } : { outside: false, hosts, paths: [...readable, ...writable] };
}

const otherPlace: ProgramPlace = { outside: true };

/** Returns where a process of a conversation runs; null for an unknown one. One of which nothing is known counts as outside. */
export async function findProcessPlace(conversationId: string, name: string): Promise<ProgramPlace | null> {
  const [row] = await db()
    .select({ place: table.place })
    .from(table)
    .where(and(eq(table.conversationId, conversationId), eq(table.name, name)));
  return row ? (row.place ?? otherPlace) : null;
}

/** Asks the server that runs a process to end it, and waits for the end. */
async function askToKill(id: string): Promise<void> {
  await db()
    .update(table)
    .set({ killRequestedAt: sql`now()` })
    .where(and(eq(table.id, id), eq(table.status, "running")));
  for (let waitedMs = 0; waitedMs < maxEndMs; waitedMs += lookAgainMs) {
    const [row] = await db().select({ status: table.status }).from(table).where(eq(table.id, id));
    if (row?.status !== "running") return;
    await wait(lookAgainMs);
  }
}

/** Waits for output, for the end of the process, for the time limit or for the end of the call. */
async function nextChange(live: LiveProcess, ms: number, signal: AbortSignal | null): Promise<void> {
  if (ms <= 0 || !findLive(live.id)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  live.changed.add(resolve);
  signal?.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
  live.changed.delete(resolve);
  // Programs print a line in pieces.
  await Promise.race([live.finished, wait(50)]);
  signal?.throwIfAborted();
}

function selectRows(conversationId: string, name?: string) {
  return db()
    .select({
      id: table.id,
      name: table.name,
      command: table.command,
      folder: table.folder,
      pty: table.pty,
      status: table.status,
      exitCode: table.exitCode,
      place: table.place,
      log: table.log,
      seconds: sql<number>`extract(epoch from coalesce(${table.finishedAt}, now()) - ${table.startedAt})`.mapWith(Number),
    })
    .from(table)
    .where(and(eq(table.conversationId, conversationId), name === undefined ? undefined : eq(table.name, name)))
    .$dynamic();
}

type Row = Awaited<ReturnType<typeof selectRows>>[number];

async function findRow(conversationId: string, name: string): Promise<Row> {
  const [row] = await selectRows(conversationId, name);
  if (!row) throw new AppError("not_found", `There is no process ${name} in this conversation. The action list shows them.`);
  if (row.status !== "running" || findLive(row.id)) return row;
  await settleLostProcesses(conversationId);
  return (await selectRows(conversationId, name))[0] ?? row;
}

/** Describes a process with what it printed since the last answer. */
function answerOf(row: Row, live: LiveProcess | undefined): string {
  if (!live) return textOf(row, row.log);
  const fresh = live.log.since(live.shownTo);
  live.shownTo = live.log.length;
  return textOf(row, readableText(fresh, live.pty), { empty: "(no new output)", troubles: live.process.networkTroubles() });
}

function textOf(row: Row, output: string, { empty = "(no output)", troubles = [] }: { empty?: string; troubles?: readonly string[] } = {}) {
  const hasFailed = row.status === "exited" && row.exitCode !== 0;
  const isBoxed = !(row.place ?? otherPlace).outside;
  const registry = hasFailed ? registryNote(output, { isBoxed }) : null;
  const notes = [...troubles, ...(registry === null ? [] : [registry])].map((sentence) => `[${sentence}]`);
  return [lineOf(row), ...notes, output === "" ? empty : output].join("\n");
}

function lineOf({ name, status, exitCode, seconds, command, folder }: Row): string {
  const [line = "", ...more] = command.split("\n");
  const where = folder === "." ? "" : ` in ${folder}`;
  return `${name} ${endingOf(status, exitCode)} ${spanOf(seconds)}${where}: ${line.slice(0, 200)}${more.length > 0 || line.length > 200 ? " …" : ""}`;
}

function endingOf(status: Row["status"], exitCode: number | null): string {
  switch (status) {
    case "running":
      return "running for";
    case "exited":
      return `exited with code ${exitCode} after`;
    case "killed":
      return "killed after";
    case "lost":
      return "lost with its server after";
  }
}

function spanOf(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return whole < 120 ? `${whole} s` : whole < 7_200 ? `${Math.round(whole / 60)} min` : `${Math.round(whole / 3_600)} h`;
}
