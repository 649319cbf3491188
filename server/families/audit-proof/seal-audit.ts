import "server-only";
import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditSeals } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { leafBytes } from "./format/leaf";
import { merkleRoot } from "./format/merkle";
import { firstPrevious, type SealHeader, sealHash } from "./format/seal";
import { fieldsText, packedLeaf, payloadText } from "./row-texts";
import { signHash } from "./signing-key";

/** Rows that one seal covers at most. */
export const rowsPerSeal = 1_000;

/** The next rows of a workspace, and where its last seal ended. Times are milliseconds since 1970. */
type Batch = {
  workspaceId: string;
  number: number | null;
  nextPlace: number | null;
  hash: string | null;
  sealedThrough: number | null;
  rows: number;
  leaves: Buffer;
  lastXid: string;
  lastId: string;
  minAt: number;
  maxAt: number;
  now: number;
};

/**
 * Seals every audit row that is final and not sealed yet. One replica at a time seals; the lock ends with the transaction,
 * so a killed process leaves neither a lock nor half a seal.
 * @returns the number of rows sealed
 */
export async function sealAudit(): Promise<number> {
  let total = 0;
  for (;;) {
    const sealed = await db().transaction(sealOnce);
    total += sealed.rows;
    if (!sealed.isFull) return total;
  }
}

async function sealOnce(tx: Db): Promise<{ rows: number; isFull: boolean }> {
  const [lock] = await tx.execute<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(hashtextextended('audit-seals', 0)) as taken`);
  if (!lock?.taken) return { rows: 0, isFull: false };
  const batches = await tx.execute<Batch>(nextRows);
  if (batches.length > 0) await tx.insert(auditSeals).values(batches.map(toSeal));
  return { rows: batches.reduce((sum, { rows }) => sum + rows, 0), isFull: batches.some(({ rows }) => rows === rowsPerSeal) };
}

function toSeal(batch: Batch): typeof auditSeals.$inferInsert {
  const digests = Array.from({ length: batch.rows }, (_, place) =>
    batch.leaves.subarray((place + 1) * leafBytes - 32, (place + 1) * leafBytes),
  );
  const through = new Date(Math.max(batch.sealedThrough ?? 0, batch.maxAt));
  const header: SealHeader = {
    workspaceId: batch.workspaceId,
    number: (batch.number ?? 0) + 1,
    firstPlace: batch.nextPlace ?? 1,
    rows: batch.rows,
    root: merkleRoot(digests).toString("hex"),
    through: through.toISOString(),
    sealedAt: new Date(batch.now).toISOString(),
    previous: batch.hash ?? firstPrevious,
  };
  const hash = sealHash(header);
  return {
    ...header,
    through,
    sealedAt: new Date(batch.now),
    hash,
    ...signHash(hash),
    leaves: batch.leaves,
    lastXid: BigInt(batch.lastXid),
    lastId: batch.lastId,
    minAt: new Date(batch.minAt),
    maxAt: new Date(batch.maxAt),
  };
}

const milliseconds = (expression: string) => sql.raw(`(extract(epoch from ${expression}) * 1000)::float8`);

/**
 * The next rows of each workspace in the order of `(xid, id)`, digested by Postgres, because that spares the calls of this
 * process the work. Rows of a transaction that may still run, and all after it, wait: a late commit is never passed over.
 */
const nextRows = sql`
select w.id as "workspaceId", head.number, head.next_place::float8 as "nextPlace", head.hash, ${milliseconds("head.through")} as "sealedThrough",
  batch.rows, batch.leaves, batch.last_xid::text as "lastXid", batch.last_id as "lastId", ${milliseconds("batch.min_at")} as "minAt",
  ${milliseconds("batch.max_at")} as "maxAt", floor(${milliseconds("now()")}) as now
from workspaces w
left join lateral (
  select s.number, s.first_place + s.rows as next_place, s.hash, s.through, s.last_xid, s.last_id
  from audit_seals s where s.workspace_id = w.id order by s.number desc limit 1
) head on true
cross join lateral (
  select count(*)::int as rows, min(at) as min_at, max(at) as max_at, max(xid) as last_xid,
    (array_agg(id order by xid desc, id desc))[1] as last_id,
    string_agg(${packedLeaf}, ''::bytea order by xid, id) as leaves
  from (
    select e.id, e.at, e.xid, uuid_send(gen_random_uuid()) as salt, ${fieldsText} as fields, ${payloadText} as payload
    from audit_events e
    where e.workspace_id = w.id and (e.xid, e.id) > (coalesce(head.last_xid, -1), coalesce(head.last_id, '00000000-0000-0000-0000-000000000000'))
      and e.xid < audit_position(pg_snapshot_xmin(pg_current_snapshot()))
    order by e.xid, e.id limit ${sql.raw(String(rowsPerSeal))}
  ) as next
) batch
where batch.rows > 0`;
