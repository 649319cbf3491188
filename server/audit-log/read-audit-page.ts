import "server-only";
import { and, desc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditEvent, AuditFilter } from "@/contracts/audit/audit";
import type { Db } from "@/db/client";
import { auditEvents } from "@/db/schema";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { findSqlState } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";
import { type Archive, archivedEvents, makeArchiveReader } from "./archive/archive-files";
import { findArchives, throughMoves } from "./archive/find-archives";
import { auditCondition, hasActorId, hasActorName } from "./audit-condition";
import { presentAuditEvent } from "./present-audit-event";
import { type AuditReader, readSubjectNames } from "./subject-names";

const Cursor = z.tuple([z.iso.datetime(), z.uuid()]);

/** Filter fields with an index. Any other field may make Postgres read the whole audit without a hit. */
const indexed = new Set(["tool", "conversationId", "from", "to"]);

type Page = AuditFilter & { limit: number; cursor?: string };
type Row = typeof auditEvents.$inferSelect;
type Reading = { withinMs: number; readArchive?: ReturnType<typeof makeArchiveReader> };

/**
 * Reads the next `limit` events of a filter, newest first, after the cursor of the previous page. Events of archived months
 * come from their files, which takes longer.
 * @param withinMs time limit for filters without an index, and for archives
 * @param readArchive reads the files; one that keeps the last file serves page after page
 * @throws AppError `timed_out`; `unavailable` when the file of an archive cannot be read
 */
export async function readAuditPage(
  reader: AuditReader,
  page: Page,
  { withinMs, readArchive = makeArchiveReader() }: Reading,
): Promise<{ items: AuditEvent[]; nextCursor: string | null }> {
  const found = await throughMoves(() => readRows(reader.workspaceId, page, { withinMs, readArchive }));
  const { rows, nextCursor } = toPage(found, page.limit, ({ at, id }) => [at.toISOString(), id]);
  const names = await readSubjectNames(reader, rows);
  return { items: rows.map((row) => presentAuditEvent(row, names.get(row.subject ?? "") ?? null)), nextCursor };
}

async function readRows(
  workspaceId: string,
  { limit, cursor, ...filter }: Page,
  { withinMs, readArchive }: Required<Reading>,
): Promise<Row[]> {
  const last = cursor === undefined ? null : decodeCursor(cursor, Cursor);
  const { actor, ...others } = filter;
  // Each way to name an actor has an index in the order of time; both together would be sorted as a whole.
  const ways = actor === undefined ? [undefined] : [hasActorId(actor), hasActorName(actor)];
  const page = async (tx: Db, archived?: SQL) => {
    let found: Row[] = [];
    for (const way of ways) {
      // The rows of an archive stand in for the table under its name.
      const rows = await (archived ? tx.with(tx.$with("audit_events", {}).as(sql`select * from ${archived} as archived`)) : tx)
        .select()
        .from(auditEvents)
        .where(and(auditCondition(workspaceId, others), way, last ? olderThan(last) : undefined))
        .orderBy(desc(auditEvents.at), desc(auditEvents.id))
        .limit(limit + 1);
      const known = new Set(found.map(({ id }) => id));
      const more = rows.filter(({ id }) => !known.has(id));
      found = found.length === 0 ? more : merged(found, more, limit);
    }
    return found;
  };
  const isIndexed = Object.entries(filter).every(([name, value]) => value === undefined || indexed.has(name));
  const until = performance.now() + withinMs;
  const { stored, archives } = await atOneMoment(isIndexed ? null : withinMs, async (tx) => {
    // Postgres cannot tell how many rows hold a word. It would read all of them and sort, where the newest fill the page.
    if (filter.query) await tx.execute(sql`set local enable_sort = off`);
    const stored = await page(tx);
    const since = stored[limit]?.at ?? null;
    return { stored, archives: await findArchives(tx, workspaceId, filter, { since, until: last ? new Date(last[0]) : null }) };
  });
  let found = stored;
  for (const archive of archives) {
    if (isFull(found, limit, archive)) break;
    if (performance.now() > until) throw tookTooLong(withinMs);
    found = merged(found, await page(db(), archivedEvents(await readArchive(archive))), limit);
  }
  return found;
}

/** Tells whether no row of an archive fits a page any more. */
const isFull = (found: readonly Row[], limit: number, { maxAt }: Archive): boolean => (found[limit]?.at ?? new Date(0)) > maxAt;

const newestFirst = (one: Row, other: Row) => other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1);
const merged = (some: readonly Row[], more: readonly Row[], limit: number): Row[] =>
  [...some, ...more].sort(newestFirst).slice(0, limit + 1);

const olderThan = ([at, id]: z.infer<typeof Cursor>): SQL =>
  sql`(${auditEvents.at}, ${auditEvents.id}) < (${at}::timestamptz, ${id}::uuid)`;

/**
 * Runs queries that see the same moment, so that rows which are being archived are neither missed nor read twice.
 * @param withinMs time limit, with which there are no parallel workers: a viewer's search must not slow down tool calls
 */
async function atOneMoment<T>(withinMs: number | null, query: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await db().transaction(
      async (tx) => {
        const limit = `set_config('statement_timeout', '${withinMs}', true), set_config('max_parallel_workers_per_gather', '0', true)`;
        if (withinMs !== null) await tx.execute(sql.raw(`select ${limit}`));
        return query(tx);
      },
      { accessMode: "read only", isolationLevel: "repeatable read" },
    );
  } catch (error) {
    if (withinMs === null || findSqlState(error) !== "57014") throw error;
    throw tookTooLong(withinMs);
  }
}

const tookTooLong = (withinMs: number) =>
  new AppError(
    "timed_out",
    `The search read the audit for ${withinMs / 1_000} s without filling a page. Narrow it with \`from\` and \`to\`, a tool or a conversation.`,
  );
