import "server-only";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditSeals } from "@/db/schema";
import { recordRoot } from "./format/check-seals";
import { type Leaf, leafStates, packLeaves, unpackLeaves, uuidBytes } from "./format/leaf";
import { merkleRoot } from "./format/merkle";

type Row = { id: string; xid: string };
type Marking = { workspaceId: string; rows: readonly Row[]; state: "removed" | "erased"; recordId: string };

/** Facts to be written with the record of a removal or an erasure. */
export type MarkedLeaves = {
  /** The leaves as they were, by the ids of their rows. */
  before: Map<string, Leaf>;
  root: string;
  seals: { number: number; leaves: Buffer }[];
};

/**
 * Marks the leaves of rows, which stand in the order of the audit, as removed or erased by a record. A row that its seal does
 * not know has no leaf: a verification has to name it.
 */
export async function markLeaves(tx: Db, { workspaceId, rows, state, recordId }: Marking): Promise<MarkedLeaves> {
  const marked: MarkedLeaves & { roots: Buffer[] } = { before: new Map(), root: "", roots: [], seals: [] };
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) return marked;
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
  const ids = new Set(rows.map(({ id }) => id));
  const salt = uuidBytes(recordId);
  for (const { number, leaves } of seals) {
    const all = unpackLeaves(leaves);
    const going = new Set(all.filter((leaf) => leaf.state === leafStates.present && ids.has(leaf.id)));
    if (going.size === 0) continue;
    for (const leaf of going) marked.before.set(leaf.id, leaf);
    marked.roots.push(merkleRoot([...going].map(({ digest }) => digest)));
    marked.seals.push({
      number,
      leaves: packLeaves(all.map((leaf) => (going.has(leaf) ? { ...leaf, state: leafStates[state], salt } : leaf))),
    });
  }
  return { ...marked, root: marked.roots.length > 0 ? recordRoot(marked.roots) : "" };
}

/** Writes marked seals; the record must have been written before, because the triggers let go only what is recorded. */
export async function writeMarked(tx: Db, workspaceId: string, recordId: string, { seals }: MarkedLeaves): Promise<void> {
  await tx.execute(sql`select set_config('handrail.audit_record', ${recordId}, true)`);
  for (const { number, leaves } of seals) {
    await tx
      .update(auditSeals)
      .set({ leaves })
      .where(and(eq(auditSeals.workspaceId, workspaceId), eq(auditSeals.number, number)));
  }
}

/** Removals and erasures of a workspace change its seals one after the other. */
export const lockSeals = (tx: Db, workspaceId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`audit-retention:${workspaceId}`}, 0))`);
