import "server-only";
import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { blobState } from "@/server/capabilities/blobs/blob-state";
import { db } from "@/server/platform/database/database";
import { explainWriteRefusal } from "@/server/platform/database/sql-state";
import { log } from "@/server/platform/log";
import { hasEngine } from "@/server/platform/queue";
import { isListening } from "@/server/platform/signals/bus";

export type Readiness = {
  status: "ok" | "unavailable";
  checks: { database: string; audit: string; jobs: string; signals: string; blobs: string };
};

/** An id that no workspace has. */
const nobodysWorkspace = "00000000-0000-0000-0000-000000000000";

/** Thrown to roll back the trial row. */
class TakenBack extends Error {}

const databaseTimeoutMs = 2_000;
/** For several statements, each of which has `databaseTimeoutMs`, and for a free connection. */
const auditTimeoutMs = 10_000;

let underWay: Promise<Readiness> | null = null;

/**
 * Checks whether this process can work. Each check answers in a few words; the log has the reason. Probes that come while
 * one is under way share its answer, because on a busy machine they would pile up.
 */
export function readiness(): Promise<Readiness> {
  underWay ??= checkAll().finally(() => {
    underWay = null;
  });
  return underWay;
}

async function checkAll(): Promise<Readiness> {
  const database = await databaseAnswers();
  const needed = {
    database,
    audit: database === "ok" ? await withinTime(auditTakesRows(), auditTimeoutMs) : "not known",
    jobs: hasEngine() ? "ok" : "not running",
    signals: isListening() ? "ok" : "not listening",
  };
  const isReady = Object.values(needed).every((check) => check === "ok");
  // `blobs` does not count for readiness, because an outage of the blob store would take out every replica. Calls go on
  // and report the files that could not be kept.
  return { status: isReady ? "ok" : "unavailable", checks: { ...needed, blobs: await blobState() } };
}

async function databaseAnswers(): Promise<string> {
  try {
    const answer = db()
      .execute(sql`select 1`)
      .then(() => "ok");
    return await withinTime(answer, databaseTimeoutMs);
  } catch (error) {
    log().warn({ err: error }, "the database does not answer");
    return "does not answer";
  }
}

/** Waits a limited time for an answer, because later probes share it. */
async function withinTime(answer: Promise<string>, ms: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve("does not answer"), ms);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}

/** Writes an audit row and rolls it back, because a database that answers reads may be read-only, full or locked. */
async function auditTakesRows(): Promise<string> {
  try {
    await db().transaction(async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = ${databaseTimeoutMs}`));
      await record(tx, { workspaceId: nobodysWorkspace, event: "replica.started", actor: systemActor });
      await assertDiskSpace(tx);
      throw new TakenBack();
    });
    return "ok";
  } catch (error) {
    if (error instanceof TakenBack) return "ok";
    log().warn({ err: error }, "the audit cannot be written");
    return `cannot be written: ${explainWriteRefusal(error) ?? "see the log"}`;
  }
}

/**
 * Has Postgres write some 2 MB of a temporary file, because a row that is rolled back finds room in pages that exist already.
 * @throws Postgres's `disk_full` where the disk has no such room
 */
async function assertDiskSpace(tx: Db): Promise<void> {
  await tx.execute(sql`set local work_mem = '64kB'`);
  await tx.execute(sql`select count(*) from generate_series(1, 100000)`);
}
