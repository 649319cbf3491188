import "server-only";
import { and, asc, eq, gt, gte, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditArchives, auditSeals } from "@/db/schema";
import { archiveColumns, makeArchiveReader, readArchive } from "@/server/audit-log/archive/archive-files";
import { inUse, throughMoves } from "@/server/audit-log/archive/find-archives";
import { db } from "@/server/platform/database/database";
import type { FoundRow, StoredSeal } from "./format/check-seals";
import { unpackLeaves } from "./format/leaf";
import { fieldsText, payloadText } from "./row-texts";

export type SealRow = typeof auditSeals.$inferSelect;

/** Rows of the last place of a range: `(xid, id)`. */
export type Place = { xid: bigint; id: string };
export const endOfSeal = ({ lastXid, lastId }: { lastXid: bigint; lastId: string }): Place => ({ xid: lastXid, id: lastId });
export const beforeAll: Place = { xid: -1n, id: "00000000-0000-0000-0000-000000000000" };

/** Returns the place of the last row of a seal; the place before all rows for a number without a seal. */
export async function endOfSealed(workspaceId: string, number: number, tx: Db = db()): Promise<Place> {
  const [seal] = await tx
    .select({ lastXid: auditSeals.lastXid, lastId: auditSeals.lastId })
    .from(auditSeals)
    .where(and(eq(auditSeals.workspaceId, workspaceId), eq(auditSeals.number, number)));
  return seal ? endOfSeal(seal) : beforeAll;
}

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

/**
 * Reads the rows of neighbouring seals in the order of the audit, with the texts that seals cover. Rows of archived seals come
 * from their files.
 * @param after place of the last row before the first seal
 * @throws AppError `unavailable` when the file of an archive cannot be read
 */
export async function readRowsOf(seals: readonly Numbered[], after: Place, readArchive = makeArchiveReader()): Promise<RangeRow[]> {
  const [first] = seals;
  const last = seals.at(-1);
  return first && last ? throughMoves(() => readBetween(first, last, after, readArchive)) : [];
}

async function readBetween(first: Numbered, last: Numbered, after: Place, readArchive: ReturnType<typeof makeArchiveReader>) {
  const { workspaceId } = first;
  const through = endOfSeal(last);
  const { stored, archives } = await db().transaction(
    async (tx) => ({
      stored: await readRows(
        sql`e.workspace_id = ${workspaceId} and (e.xid, e.id) > (${String(after.xid)}::int8, ${after.id}::uuid)
          and (e.xid, e.id) <= (${String(through.xid)}::int8, ${through.id}::uuid)`,
        tx,
      ),
      archives: await tx
        .select(archiveColumns)
        .from(auditArchives)
        .where(and(inUse(workspaceId), lte(auditArchives.firstSeal, last.number), gte(auditArchives.lastSeal, first.number))),
    }),
    { accessMode: "read only", isolationLevel: "repeatable read" },
  );
  if (archives.length === 0) return stored;
  const archived = (await Promise.all(archives.map(readArchive))).flat();
  return [...stored, ...archived.filter((row) => isAfter(row, after) && !isAfter(row, through))].sort(inOrder);
}

type Numbered = { workspaceId: string; number: number; lastXid: bigint; lastId: string };

/** Tells whether a row stands behind a place. */
export function isAfter({ xid, id }: { xid: string; id: string }, place: Place): boolean {
  const own = BigInt(xid);
  return own > place.xid || (own === place.xid && id > place.id);
}

const inOrder = (one: RangeRow, other: RangeRow) => (isAfter(one, { xid: BigInt(other.xid), id: other.id }) ? 1 : -1);

export type RangeRow = FoundRow & { xid: string };

/** Reads rows of `audit_events as e` in the order of the audit; all of them without a limit. */
export async function readRows(condition: SQL, tx: Db = db(), limit: number | null = null): Promise<RangeRow[]> {
  const rows = await tx.execute<RangeRow>(
    sql`select e.id, e.xid::text as xid, ${fieldsText} as fields, ${payloadText} as payload from audit_events e where ${condition}
      order by e.xid, e.id limit ${limit}`,
  );
  return [...rows];
}

/** Finds a row by its id wherever its time and place are, in archives too; null when there is none. */
export async function findRow(workspaceId: string, id: string): Promise<RangeRow | null> {
  const [row] = await readRows(sql`e.workspace_id = ${workspaceId} and e.id = ${id}::uuid`);
  if (row) return row;
  // Ids begin with their time, which is nearly always that of the row.
  const archives = await db()
    .select(archiveColumns)
    .from(auditArchives)
    .where(inUse(workspaceId))
    .orderBy(
      sql`${timeOf(id)}::timestamptz between ${auditArchives.minAt} - interval '1 hour' and ${auditArchives.maxAt} + interval '1 hour' desc`,
    );
  for (const archive of archives) {
    const found = (await readArchive(archive)).find((archived) => archived.id === id);
    if (found) return found;
  }
  return null;
}

const timeOf = (id: string) => new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toISOString();

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
