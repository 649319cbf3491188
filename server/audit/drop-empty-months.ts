import "server-only";
import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { log } from "@/server/platform/log";
import { changingAudit } from "./ensure-partitions";

/** Drops the partitions of closed months whose rows have all gone, so that their indexes take no room and no search looks there. */
export async function dropEmptyMonths(now = sharedNow()): Promise<void> {
  const open = `audit_events_${now.toISOString().slice(0, 7).replace("-", "_")}`;
  const closed = await db().execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_events'::regclass and c.relname ~ '^audit_events_\\d{4}_\\d{2}$' and c.relname < ${open} order by 1`);
  for (const { name } of closed) {
    const table = sql.identifier(name);
    const [row] = await db().execute(sql`select from ${table} limit 1`);
    if (row) continue;
    await changingAudit(name, "its empty partition stays until the next try", async (tx) => {
      // All tables at once: a reader holds the whole and waits for the part, which would be a deadlock.
      await tx.execute(sql`lock table audit_events in access exclusive mode`);
      const [late] = await tx.execute(sql`select from ${table} limit 1`);
      if (late) return;
      await tx.execute(sql`drop table ${table}`);
      log().info({ table: name }, "the empty partition of a closed month was dropped");
    });
  }
}
