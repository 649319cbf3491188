import "server-only";
import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";

const monthsAhead = 2;

/**
 * Makes the audit's partitions of this month and the next two. If the default partition already holds rows of a month,
 * all rows of that month stay there, because Postgres then refuses a partition for the range.
 */
export async function ensureAuditPartitions(now = sharedNow()): Promise<void> {
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    await ensureMonth(from, new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)));
  }
  // For the partitions that a restore has made; new ones are guarded as they are made, before anybody writes to them.
  await changingAudit("audit_events", "its partitions are not guarded against TRUNCATE until the next try", guard);
}

const guard = (tx: Db) => tx.execute(sql`select audit_guard_partitions()`);

/** Changes tables of the audit one replica at a time. New writers queue behind a change that waits, so it gives up after 3 s. */
export async function changingAudit(table: string, otherwise: string, change: (tx: Db) => Promise<unknown>): Promise<void> {
  try {
    await db().transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = '3s'`);
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('audit-partitions', 0))`);
      await change(tx);
    });
  } catch (error) {
    const reason = error instanceof Error && error.cause ? toErrorMessage(error.cause) : toErrorMessage(error);
    log().warn({ table, reason }, otherwise);
  }
}

async function ensureMonth(from: Date, to: Date): Promise<void> {
  const name = `audit_events_${from.toISOString().slice(0, 7).replace("-", "_")}`;
  if (await exists(name)) return;
  await changingAudit(name, "the audit's rows of this month go to the default partition", async (tx) => {
    // `create table … partition of` waits for running writers.
    const bounds = sql.raw(`from ('${from.toISOString()}') to ('${to.toISOString()}')`);
    await tx.execute(sql`create table if not exists ${sql.identifier(name)} partition of audit_events for values ${bounds}`);
    await guard(tx);
  });
}

async function exists(table: string): Promise<boolean> {
  const [row] = await db().execute<{ name: string | null }>(sql`select to_regclass(${table}) as name`);
  return Boolean(row?.name);
}
