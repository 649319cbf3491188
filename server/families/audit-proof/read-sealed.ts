import "server-only";
import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditSeals } from "@/db/schema";
import { db } from "@/server/platform/database";
import type { FoundRow, StoredSeal } from "./format/check-seals";
import { unpackLeaves } from "./format/leaf";
import { fieldsText, payloadText } from "./row-texts";

type SealRow = typeof auditSeals.$inferSelect;

/** Rows of the last place of a range: `(xid, id)`. */
type Place = { xid: bigint; id: string };
export const beforeAll: Place = { xid: -1n, id: "00000000-0000-0000-0000-000000000000" };

export function toStoredSeal(row: SealRow): StoredSeal {
  const { through, sealedAt, leaves, ...rest } = row;
  return { ...rest, through: through.toISOString(), sealedAt: sealedAt.toISOString(), leaves: unpackLeaves(leaves) };
}

/** Reads a workspace's seals after a number, in their order; `limit` at most. */
export function readSeals(workspaceId: string, after: number, limit: number): Promise<SealRow[]> {
  return db()
    .select()
    .from(auditSeals)
    .where(and(eq(auditSeals.workspaceId, workspaceId), gt(auditSeals.number, after)))
    .orderBy(asc(auditSeals.number))
    .limit(limit);
}

/** Reads the rows of a workspace after one place and up to another, in the order of the audit, with the texts that seals cover. */
export function readRange(workspaceId: string, after: Place, through: Place): Promise<RangeRow[]> {
  return readRows(sql`e.workspace_id = ${workspaceId} and (e.xid, e.id) > (${String(after.xid)}::int8, ${after.id}::uuid)
    and (e.xid, e.id) <= (${String(through.xid)}::int8, ${through.id}::uuid)`);
}

export type RangeRow = FoundRow & { xid: string };

/** Reads rows of `audit_events as e` in the order of the audit; all of them without a limit. */
export async function readRows(condition: SQL, tx: Db = db(), limit: number | null = null): Promise<RangeRow[]> {
  const rows = await tx.execute<RangeRow>(
    sql`select e.id, e.xid::text as xid, ${fieldsText} as fields, ${payloadText} as payload from audit_events e where ${condition}
      order by e.xid, e.id limit ${limit}`,
  );
  return [...rows];
}

/** Finds a row by its id wherever its time and place are; null when there is none. */
export async function findRow(workspaceId: string, id: string): Promise<FoundRow | null> {
  const [row] = await readRows(sql`e.workspace_id = ${workspaceId} and e.id = ${id}::uuid`);
  return row ?? null;
}

/** Returns the last seal of a workspace without its digests. */
export async function readHead(workspaceId: string) {
  const { leaves: _leaves, ...columns } = sealColumns;
  const [head] = await db()
    .select(columns)
    .from(auditSeals)
    .where(eq(auditSeals.workspaceId, workspaceId))
    .orderBy(sql`${auditSeals.number} desc`)
    .limit(1);
  return head ?? null;
}

const sealColumns = {
  workspaceId: auditSeals.workspaceId,
  number: auditSeals.number,
  firstPlace: auditSeals.firstPlace,
  rows: auditSeals.rows,
  root: auditSeals.root,
  through: auditSeals.through,
  sealedAt: auditSeals.sealedAt,
  previous: auditSeals.previous,
  hash: auditSeals.hash,
  signature: auditSeals.signature,
  publicKey: auditSeals.publicKey,
  leaves: auditSeals.leaves,
  lastXid: auditSeals.lastXid,
  lastId: auditSeals.lastId,
};
