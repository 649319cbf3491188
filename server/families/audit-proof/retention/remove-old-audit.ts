import "server-only";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditEvents, auditSeals, auditSettings } from "@/db/schema";
import { auditRow } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { recordRoot } from "../format/check-seals";
import { type Leaf, leafStates, packLeaves, unpackLeaves, uuidBytes } from "../format/leaf";
import { merkleRoot } from "../format/merkle";
import { isHeld, oldRows } from "./old-rows";
import { readKeptDays } from "./settings";

/** Rows that one transaction removes at most, with one record. */
const rowsAtOnce = 5_000;

type OldRow = { id: string; xid: string };

/** Removes audit rows that every setting and hold lets go; each batch commits with the audit row that records it. */
export async function removeOldAudit(): Promise<void> {
  for (const { workspaceId } of await db().select({ workspaceId: auditSettings.workspaceId }).from(auditSettings)) {
    for (let removed = rowsAtOnce; removed === rowsAtOnce; ) {
      removed = await db().transaction((tx) => removeBatch(tx, workspaceId));
      if (removed > 0) log().info({ workspaceId, rows: removed }, "audit rows were removed by the retention");
    }
  }
}

async function removeBatch(tx: Db, workspaceId: string): Promise<number> {
  const old = oldRows(await readKeptDays(workspaceId));
  if (!old) return 0;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`audit-retention:${workspaceId}`}, 0))`);
  const rows = await tx.execute<OldRow>(sql`
    select e.id, e.xid::text as xid from audit_events e
    where e.workspace_id = ${workspaceId} and ${old} and not ${isHeld}
      and (e.xid, e.id) <= (select last_xid, last_id from audit_seals where workspace_id = ${workspaceId} order by number desc limit 1)
    order by e.xid, e.id limit ${rowsAtOnce}`);
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) return 0;
  const recordId = newId();
  const marked = await markLeaves(tx, { workspaceId, first, last, ids: new Set(rows.map(({ id }) => id)), recordId });
  if (marked.ids.length === 0) return 0;
  const entry = {
    workspaceId,
    event: "audit.rows_removed" as const,
    actor: systemActor,
    data: { rows: marked.ids.length, root: marked.root },
  };
  await tx.insert(auditEvents).values({ ...auditRow(entry), id: recordId });
  // The triggers let go only what a transaction has recorded.
  await tx.execute(sql`select set_config('handrail.audit_record', ${recordId}, true)`);
  for (const { number, leaves } of marked.seals) {
    await tx
      .update(auditSeals)
      .set({ leaves })
      .where(and(eq(auditSeals.workspaceId, workspaceId), eq(auditSeals.number, number)));
  }
  const ids = sql`string_to_array(${marked.ids.join(",")}, ',')::uuid[]`;
  await tx.execute(sql`delete from audit_events where workspace_id = ${workspaceId} and id = any(${ids})`);
  return marked.ids.length;
}

type Marking = { workspaceId: string; first: OldRow; last: OldRow; ids: ReadonlySet<string>; recordId: string };

/** Marks leaves as removed by the record. A row that its seal does not know is left: a verification has to name it. */
async function markLeaves(tx: Db, { workspaceId, first, last, ids, recordId }: Marking) {
  const seals = await tx
    .select({ number: auditSeals.number, leaves: auditSeals.leaves })
    .from(auditSeals)
    .where(
      and(
        eq(auditSeals.workspaceId, workspaceId),
        sql`(${auditSeals.lastXid}, ${auditSeals.lastId}) >= (${first.xid}::int8, ${first.id}::uuid)`,
        sql`${auditSeals.number} <= (select min(number) from audit_seals o where o.workspace_id = ${workspaceId}
          and (o.last_xid, o.last_id) >= (${last.xid}::int8, ${last.id}::uuid))`,
      ),
    )
    .orderBy(asc(auditSeals.number))
    .for("update");
  const salt = uuidBytes(recordId);
  const marked = { ids: [] as string[], roots: [] as Buffer[], seals: [] as { number: number; leaves: Buffer }[] };
  for (const { number, leaves } of seals) {
    const all = unpackLeaves(leaves);
    const going = all.filter(({ id, state }) => state === leafStates.present && ids.has(id));
    if (going.length === 0) continue;
    marked.ids.push(...going.map(({ id }) => id));
    marked.roots.push(merkleRoot(going.map(({ digest }) => digest)));
    const gone = new Set(going);
    const mark = (leaf: Leaf): Leaf => (gone.has(leaf) ? { ...leaf, state: leafStates.removed, salt } : leaf);
    marked.seals.push({ number, leaves: packLeaves(all.map(mark)) });
  }
  return { ids: marked.ids, root: recordRoot(marked.roots), seals: marked.seals };
}
