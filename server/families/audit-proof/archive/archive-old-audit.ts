import "server-only";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditArchives, auditEvents, auditSeals, auditSettings } from "@/db/schema";
import { auditRow } from "@/server/audit/record";
import { type ArchivedRow, archivedEvents } from "@/server/audit-log/archive/archive-files";
import { namesOfRows } from "@/server/audit-log/archive/find-archives";
import { systemActor } from "@/server/auth/actor";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { ofKind } from "../kinds";
import { lockSeals } from "../mark-leaves";
import { endOfSeal, endOfSealed, isAfter, type RangeRow, readRowsOf, type SealRow } from "../read-sealed";
import { sealedLine } from "../sealed-export";
import { removeUnusedFiles } from "./return-rows";

/** Rows of an archive, unless one seal has more. */
const rowsPerFile = 5_000;

const zip = promisify(gzip);

/**
 * Moves sealed rows of closed months into the blob store, for workspaces that want it; each file commits with the audit row that
 * records it. The seals stay.
 */
export async function archiveOldAudit(): Promise<void> {
  await removeUnusedFiles();
  const wanted = await db().select().from(auditSettings).where(gt(auditSettings.archiveMonths, 0));
  for (const { workspaceId, archiveMonths } of wanted) {
    let after = 0;
    for (;;) {
      const done = await db().transaction((tx) => archiveNext(tx, { workspaceId, archiveMonths, after }));
      if (done === null) break;
      after = done.lastSeal;
      if (done.rows > 0) log().info({ workspaceId, rows: done.rows }, "audit rows were archived");
    }
  }
}

type Next = { workspaceId: string; archiveMonths: number; after: number };

/** Archives the next seals after a number. @returns the last of them and their rows; null when none is left */
async function archiveNext(tx: Db, next: Next): Promise<{ lastSeal: number; rows: number } | null> {
  const { workspaceId } = next;
  await lockSeals(tx, workspaceId);
  const seals = await nextSeals(tx, next);
  const [first] = seals;
  const last = seals.at(-1);
  if (!first || !last) return null;
  const rows = await readRowsOf(seals, await endOfSealed(workspaceId, first.number - 1, tx));
  if (rows.length === 0) return { lastSeal: last.number, rows: 0 };
  const archiveId = newId();
  const file = await zip(linesOf(archiveId, seals, rows));
  // Committed by itself and as unused: if this process is killed, the next attempt removes the file.
  await db()
    .insert(auditArchives)
    .values({
      ...{ id: archiveId, workspaceId, firstSeal: first.number, lastSeal: last.number, rows: rows.length },
      ...{ bytes: file.length, sha256: sha256(file), unusedSince: sql`now()` },
      ...(await factsOf(rows)),
    });
  await blobs().put(file);
  await moveOut(tx, { workspaceId, archiveId, rows, first, last });
  return { lastSeal: last.number, rows: rows.length };
}

/** Seals of one closed month whose rows are in the table, at most as many as fit a file. */
async function nextSeals(tx: Db, { workspaceId, archiveMonths, after }: Next): Promise<SealRow[]> {
  const found = await tx
    .select()
    .from(auditSeals)
    .where(
      and(
        eq(auditSeals.workspaceId, workspaceId),
        gt(auditSeals.number, after),
        sql`${auditSeals.maxAt} < date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - make_interval(months => ${archiveMonths}::int)`,
        sql`not exists (select from audit_archives a where a.workspace_id = ${auditSeals.workspaceId} and a.unused_since is null
          and ${auditSeals.number} between a.first_seal and a.last_seal)`,
      ),
    )
    .orderBy(asc(auditSeals.number))
    .limit(200);
  const seals: SealRow[] = [];
  let rows = 0;
  for (const seal of found) {
    const before = seals.at(-1);
    if (before && (seal.number !== before.number + 1 || monthOf(seal) !== monthOf(before) || rows + seal.rows > rowsPerFile)) break;
    seals.push(seal);
    rows += seal.rows;
  }
  return seals;
}

const monthOf = ({ maxAt }: SealRow) => maxAt.toISOString().slice(0, 7);

/** The lines of a file: as in a sealed export, so that it proves itself. The id makes the bytes of every file others. */
function linesOf(archive: string, seals: readonly SealRow[], rows: readonly RangeRow[]): string {
  return seals.map((seal, index) => sealedLine(seal, rowsOf(seal, seals[index - 1], rows), { archive })).join("");
}

function rowsOf(seal: SealRow, before: SealRow | undefined, rows: readonly RangeRow[]): RangeRow[] {
  return rows.filter((row) => !isAfter(row, endOfSeal(seal)) && (!before || isAfter(row, endOfSeal(before))));
}

/** Returns what an archive tells of its rows without its file. */
async function factsOf(rows: readonly ArchivedRow[]) {
  const count = (kind: keyof typeof ofKind) => sql`'${sql.raw(kind)}', count(*) filter (where ${ofKind[kind]})`;
  const [facts] = await db().execute<Facts>(sql`
    with rows as (select * from ${archivedEvents(rows)} as e)
    select (extract(epoch from min(e.at)) * 1000)::float8 as "minAt", (extract(epoch from max(e.at)) * 1000)::float8 as "maxAt",
      json_build_object(${count("calls")}, ${count("configuration")}, ${count("signIns")}) as kinds, ${namesOfRows} as names from rows e`);
  if (!facts) throw new Error("The facts of an archive have no row");
  return { ...facts, minAt: new Date(facts.minAt), maxAt: new Date(facts.maxAt) };
}

type Facts = { minAt: number; maxAt: number; kinds: { calls: number; configuration: number; signIns: number }; names: string[] };

type Moved = { workspaceId: string; archiveId: string; rows: readonly RangeRow[]; first: SealRow; last: SealRow };

async function moveOut(tx: Db, { workspaceId, archiveId, rows, first, last }: Moved): Promise<void> {
  const recordId = newId();
  const data = { rows: rows.length, seals: [first.number, last.number], archive: archiveId };
  await tx.insert(auditEvents).values({
    ...auditRow({ workspaceId, event: "audit.rows_archived", actor: systemActor, data }),
    id: recordId,
  });
  await tx.execute(sql`select set_config('handrail.audit_record', ${recordId}, true)`);
  const [begin] = rows;
  const end = rows.at(-1);
  if (!begin || !end) return;
  const gone = await tx.execute(sql`delete from audit_events e where e.workspace_id = ${workspaceId}
    and (e.xid, e.id) >= (${begin.xid}::int8, ${begin.id}::uuid) and (e.xid, e.id) <= (${end.xid}::int8, ${end.id}::uuid) returning e.id`);
  if (gone.length !== rows.length) throw new Error(`${gone.length} audit rows left the table and ${rows.length} are in the file`);
  await tx.update(auditArchives).set({ unusedSince: null }).where(eq(auditArchives.id, archiveId));
}
