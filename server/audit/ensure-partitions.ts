import "server-only";
import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database";
import { messageOf } from "@/server/platform/errors";
import { log } from "@/server/platform/log";

const monthsAhead = 2;

/**
 * Makes the audit's tables of this month and the next two. Rows that fell into the default partition because their
 * month was not prepared stay there, and so do the later ones of that month: Postgres takes no second home for a range
 * that the default already holds rows of.
 */
export async function ensureAuditPartitions(now = new Date()): Promise<void> {
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    await ensureMonth(from, new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)));
  }
}

async function ensureMonth(from: Date, to: Date): Promise<void> {
  const name = `audit_events_${from.toISOString().slice(0, 7).replace("-", "_")}`;
  if (await exists(name)) return;
  try {
    await db().transaction(async (tx) => {
      // Making a partition waits for everybody who writes, and everybody else then waits for it: better not at all today.
      await tx.execute(sql`set local lock_timeout = '3s'`);
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('audit-partitions', 0))`);
      const bounds = sql.raw(`from ('${from.toISOString()}') to ('${to.toISOString()}')`);
      await tx.execute(sql`create table if not exists ${sql.identifier(name)} partition of audit_events for values ${bounds}`);
    });
  } catch (error) {
    const reason = error instanceof Error && error.cause ? messageOf(error.cause) : messageOf(error);
    log().warn({ partition: name, reason }, "the audit's rows of this month go to the default partition");
  }
}

async function exists(table: string): Promise<boolean> {
  const [row] = await db().execute<{ name: string | null }>(sql`select to_regclass(${table}) as name`);
  return Boolean(row?.name);
}
