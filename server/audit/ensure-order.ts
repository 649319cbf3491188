import "server-only";
import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";

/**
 * Makes new audit rows stand after all that are there. Rows are sealed in the order of their transactions; a database that
 * was copied to another cluster has rows of transactions that this cluster has not reached, so its own count on from there.
 */
export async function ensureAuditOrder(): Promise<void> {
  const [last] = await db().execute<{ xid: string | null }>(sql`
    select max(newest.xid)::text as xid from workspaces w
    cross join lateral (select max(xid) as xid from audit_events where workspace_id = w.id) newest`);
  if (last?.xid == null) return;
  // Read after the rows above: every transaction that they name has a lower number, unless another cluster gave it.
  await db().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('audit-order', 0))`);
    const [now] = await tx.execute<{ raw: string; position: string }>(
      sql`select pg_current_xact_id()::text as raw, audit_position(pg_current_xact_id())::text as position`,
    );
    if (!now || BigInt(now.position) > BigInt(last.xid ?? 0)) return;
    const offset = BigInt(last.xid ?? 0) + 1n - BigInt(now.raw);
    await tx.execute(
      sql.raw(
        `create or replace function audit_position(transaction xid8) returns bigint language sql immutable strict as 'select transaction::text::bigint + ${offset}'`,
      ),
    );
    log().info({ offset: String(offset) }, "the audit of another cluster is continued: new rows stand after its last one");
  });
}
