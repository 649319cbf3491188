import "server-only";
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditEvents, auditSettings } from "@/db/schema";
import { auditRow } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { returnRows } from "../archive/return-rows";
import { lockSeals, markLeaves, writeMarked } from "../mark-leaves";
import { isHeld, isNotErased, oldArchives, oldRows } from "./old-rows";
import { readKeptDays } from "./settings";

/** Rows that one transaction removes at most, with one record. */
const rowsAtOnce = 5_000;

type OldRow = { id: string; xid: string };

/** Removes audit rows that every setting and hold lets go; each batch commits with the audit row that records it. */
export async function removeOldAudit(): Promise<void> {
  for (const { workspaceId } of await db().select({ workspaceId: auditSettings.workspaceId }).from(auditSettings)) {
    await returnOldRows(workspaceId);
    for (let removed = rowsAtOnce; removed === rowsAtOnce; ) {
      removed = await db().transaction((tx) => removeBatch(tx, workspaceId));
      if (removed > 0) log().info({ workspaceId, rows: removed }, "audit rows were removed by the retention");
    }
  }
}

/** Takes archives with rows that are to go back into the table. */
async function returnOldRows(workspaceId: string): Promise<void> {
  const kept = await readKeptDays(workspaceId);
  const old = oldRows(kept);
  if (old) await returnRows(workspaceId, oldArchives(kept), () => mayGo(old));
}

/** Rows without a hold; those of an erasure stay, because they hold no text. */
const mayGo = (old: SQL) => sql`${old} and not ${isHeld} and ${isNotErased}`;

async function removeBatch(tx: Db, workspaceId: string): Promise<number> {
  const old = oldRows(await readKeptDays(workspaceId));
  if (!old) return 0;
  await lockSeals(tx, workspaceId);
  const rows = await tx.execute<OldRow>(sql`
    select e.id, e.xid::text as xid from audit_events e
    where e.workspace_id = ${workspaceId} and ${mayGo(old)}
      and (e.xid, e.id) <= (select last_xid, last_id from audit_seals where workspace_id = ${workspaceId} order by number desc limit 1)
    order by e.xid, e.id limit ${rowsAtOnce}`);
  const recordId = newId();
  const marked = await markLeaves(tx, { workspaceId, rows, state: "removed", recordId });
  const gone = [...marked.before.keys()];
  if (gone.length === 0) return 0;
  const entry = {
    workspaceId,
    event: "audit.rows_removed" as const,
    actor: systemActor,
    data: { rows: gone.length, root: marked.root },
  };
  await tx.insert(auditEvents).values({ ...auditRow(entry), id: recordId });
  await writeMarked(tx, workspaceId, recordId, marked);
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) return 0;
  const ids = sql`string_to_array(${gone.join(",")}, ',')::uuid[]`;
  await tx.execute(sql`delete from audit_events where workspace_id = ${workspaceId} and id = any(${ids})
    and (xid, id) >= (${first.xid}::int8, ${first.id}::uuid) and (xid, id) <= (${last.xid}::int8, ${last.id}::uuid)`);
  return gone.length;
}
