import "server-only";
import { and, eq, gte, lt, max, min, sql } from "drizzle-orm";
import type { AuditVerification } from "@/contracts/audit/audit-proof";
import { auditCheckpoints, auditSeals } from "@/db/schema";
import { isArchiveError, makeArchiveReader } from "@/server/audit-log/archive/archive-files";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { noteVerification } from "./audit-state";
import { digestSeals } from "./digest-seals";
import { type Break, type Checker, makeChecker } from "./format/check-seals";
import {
  beforeAll,
  endOfSeal,
  endOfSealed,
  findRow,
  isAfter,
  type Place,
  type RangeRow,
  readRowsOf,
  readSeals,
  type SealRow,
  toStoredSeal,
} from "./read-sealed";
import { publicKey } from "./signing-key";

/** Rows that are read at once. */
const rowsAtOnce = 2_000;
/** Seals that are read at once; small ones of a quiet time. */
const sealsAtOnce = 100;
/** Further readings of a seal that does not fit its rows, before it is called broken. */
const rereads = 2;

type Range = { from?: string; to?: string };

/**
 * Checks the sealed audit of the actor's workspace against its rows, and yields how far it is about every 2,000 rows. The
 * last value tells the result. It stops at the first thing that is wrong.
 */
export async function* verifyAudit({ workspaceId }: Authorized<"audit:read">, range: Range): AsyncGenerator<AuditVerification, void, void> {
  const span = await sealsOf(workspaceId, range);
  const isWhole = range.from === undefined && range.to === undefined;
  const checkpoints = isWhole
    ? await db()
        .select({ number: auditCheckpoints.number, hash: auditCheckpoints.hash })
        .from(auditCheckpoints)
        .where(eq(auditCheckpoints.workspaceId, workspaceId))
    : [];
  const checker = makeChecker({ find: (id) => findRow(workspaceId, id), checkpoints, isWhole });
  let place = beforeAll;
  let sealedThrough: string | null = null;
  const present = (done: boolean, broken: Break | null): AuditVerification => ({
    ok: done ? broken === null : null,
    done,
    ...checker.counts,
    totalSeals: span ? span.last - span.first + 1 : 0,
    sealedThrough,
    unsealed: null,
    publicKey: publicKey(),
    brokenAt: broken,
  });
  for await (const group of span ? groupsOf(workspaceId, span) : []) {
    const broken = await checkGroup(checker, group);
    if (broken) return yield present(true, broken);
    sealedThrough = group.end.sealedAt.toISOString();
    place = endOfSeal(group.end);
    yield present(false, null);
  }
  const broken = checker.end() ?? (isWhole && !span ? await unsealedOld(workspaceId) : null);
  const unsealed = isWhole ? await countAfter(workspaceId, place) : null;
  yield { ...present(true, broken), unsealed };
}

/** The lines of a verification; the result of a whole one is kept for the page of the audit. */
export async function* verificationLines(actor: Authorized<"audit:read">, range: Range): AsyncGenerator<string, void, void> {
  for await (const line of verifyAudit(actor, range)) {
    if (line.done && range.from === undefined && range.to === undefined) await noteVerification(actor.workspaceId, line);
    yield `${JSON.stringify(line)}\n`;
  }
}

/** Neighbouring seals, the last of them, and those that the database finds to fit. Their rows begin after a place. */
type Group = {
  seals: readonly SealRow[];
  end: SealRow;
  after: Place;
  digested: ReturnType<typeof digestSeals>;
  readRows: () => Promise<RangeRow[]>;
};

/** Yields the seals of a span in groups. A group is digested while the one before it is checked. */
async function* groupsOf(workspaceId: string, { first, last }: { first: number; last: number }): AsyncGenerator<Group, void, void> {
  const readArchive = makeArchiveReader();
  let number = first - 1;
  let after = await endOfSealed(workspaceId, number);
  let ready: Group | null = null;
  while (number < last) {
    const found = await readSeals(workspaceId, number, sealsAtOnce);
    if (found.length === 0) break;
    for (const seals of grouped(found.filter((seal) => seal.number <= last))) {
      const end = seals.at(-1);
      if (!end) break;
      const begin = after;
      const digested = digestSeals(workspaceId, number + 1, end.number);
      // A failure is told where the group is checked.
      digested.catch(() => {});
      if (ready) yield ready;
      ready = { seals, end, after, digested, readRows: () => readRowsOf(seals, begin, readArchive) };
      number = end.number;
      after = endOfSeal(end);
    }
  }
  if (ready) yield ready;
}

/** @returns the first thing that is wrong with a group */
async function checkGroup(checker: Checker, { seals, after, digested, readRows }: Group): Promise<Break | null> {
  try {
    const fitting = await digested;
    let parts: RangeRow[][] | null = null;
    let place = after;
    for (const [index, seal] of seals.entries()) {
      const found = fitting.get(seal.number);
      const begin = place;
      place = endOfSeal(seal);
      if (found && checker.takeDigested(toStoredSeal(seal), found)) continue;
      parts ??= splitRows(await readRows(), seals);
      let broken = await checker.next(toStoredSeal(seal), parts[index] ?? []);
      // The retention or an erasure may have changed seal and rows between the two readings.
      for (let again = 0; broken && again < rereads; again++) broken = await checkAgain(checker, seal, begin, broken);
      if (broken) return broken;
    }
    return null;
  } catch (error) {
    if (!isArchiveError(error)) throw error;
    const { firstSeal } = error.archive;
    return { kind: "archive", id: null, seal: firstSeal, place: null, sentence: error.message };
  }
}

async function checkAgain(checker: Checker, { workspaceId, number }: SealRow, after: Place, broken: Break): Promise<Break | null> {
  const [seal] = await readSeals(workspaceId, number - 1, 1);
  if (seal?.number !== number) return broken;
  return checker.next(toStoredSeal(seal), await readRowsOf([seal], after));
}

/** The numbers of the first and last seal with a row of the range; null when there is none. */
async function sealsOf(workspaceId: string, { from, to }: Range): Promise<{ first: number; last: number } | null> {
  const [span] = await db()
    .select({ first: min(auditSeals.number), last: max(auditSeals.number) })
    .from(auditSeals)
    .where(
      and(
        eq(auditSeals.workspaceId, workspaceId),
        from === undefined ? undefined : gte(auditSeals.maxAt, new Date(from)),
        to === undefined ? undefined : lt(auditSeals.minAt, new Date(to)),
      ),
    );
  return span?.first == null || span.last === null ? null : { first: span.first, last: span.last };
}

/** Puts neighbouring seals together, up to `rowsAtOnce` rows. */
function grouped<Seal extends { rows: number }>(seals: readonly Seal[]): Seal[][] {
  const groups: Seal[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const seal of seals) {
    rows += seal.rows;
    if (rows > rowsAtOnce) {
      groups.push([]);
      rows = seal.rows;
    }
    groups.at(-1)?.push(seal);
  }
  return groups;
}

/** Divides rows in the order of the audit among the seals whose ranges they fall in. */
function splitRows(rows: readonly RangeRow[], seals: readonly { lastXid: bigint; lastId: string }[]): RangeRow[][] {
  let at = 0;
  return seals.map((seal) => {
    const begin = at;
    for (let row = rows[at]; row && !isAfter(row, endOfSeal(seal)); row = rows[at]) at += 1;
    return rows.slice(begin, at);
  });
}

async function countAfter(workspaceId: string, { xid, id }: { xid: bigint; id: string }): Promise<number> {
  const [row] = await db().execute<{ rows: number }>(
    sql`select count(*)::int as rows from audit_events e where e.workspace_id = ${workspaceId} and (e.xid, e.id) > (${String(xid)}::int8, ${id}::uuid)`,
  );
  return row?.rows ?? 0;
}

/** Tells an audit whose seals were all removed: rows stand that have been final for a minute, and nothing seals them. */
async function unsealedOld(workspaceId: string): Promise<Break | null> {
  const [row] = await db().execute<{ id: string }>(
    sql`select id from audit_events where workspace_id = ${workspaceId} and at < now() - interval '1 minute' order by xid, id limit 1`,
  );
  if (!row) return null;
  return {
    kind: "seal",
    id: row.id,
    seal: null,
    place: null,
    sentence: `No seal covers row ${row.id} of more than a minute ago, and there is no seal at all.`,
  };
}
