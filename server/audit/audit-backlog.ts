import "server-only";
import { sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { auditBacklog } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { auditColumns, auditJson, auditNames } from "./audit-columns";
import type { AuditEntry } from "./record";

const rowsAtOnce = 500;

/** Puts audit rows into the backlog when the audited action has happened but the audit cannot be written. */
export async function recordLater(tx: Db, ...entries: AuditEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({ entry: auditJson(entry) as JsonObject, workspaceId: entry.workspaceId }));
  await tx.insert(auditBacklog).values(rows.map((row) => ({ id: String(row.entry.id), ...row })));
}

/** Moves backlog rows into the audit with their original times. Replicas may run this at once: `skip locked` splits rows. */
export async function settleAuditBacklog(): Promise<void> {
  for (;;) {
    const moved = await db().execute(sql`
      with taken as (
        delete from audit_backlog where id in (select id from audit_backlog order by at limit ${rowsAtOnce} for update skip locked)
        returning at, entry
      )
      insert into audit_events (at, moved_at, ${sql.raw(auditNames)})
      select taken.at, now(), ${sql.raw(auditNames.replaceAll(/\w+/g, "a.$&"))} from taken, jsonb_to_record(taken.entry) as a (${sql.raw(auditColumns)})
      returning 1`);
    if (moved.length > 0) log().info({ rows: moved.length }, "audit rows were moved from the backlog into the audit");
    if (moved.length < rowsAtOnce) return;
  }
}
