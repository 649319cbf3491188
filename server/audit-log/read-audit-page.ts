import "server-only";
import { and, desc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditEvent, AuditFilter } from "@/contracts/audit";
import type { Db } from "@/db/client";
import { auditEvents } from "@/db/schema";
import { decodeCursor, toPage } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { findSqlState } from "@/server/platform/sql-state";
import { auditCondition } from "./audit-condition";
import { presentAuditEvent } from "./present-audit-event";
import { type AuditReader, readSubjectNames } from "./subject-names";

const Cursor = z.tuple([z.iso.datetime(), z.uuid()]);

/** Filter fields with an index. Any other field may make Postgres read the whole audit without a hit. */
const indexed = new Set(["tool", "conversationId", "from", "to"]);

type Page = AuditFilter & { limit: number; cursor?: string };

/**
 * Reads the next `limit` events of a filter, newest first, after the cursor of the previous page.
 * @param withinMs time limit in Postgres for filters without an index
 * @throws AppError `timed_out`
 */
export async function readAuditPage(
  reader: AuditReader,
  { limit, cursor, ...filter }: Page,
  { withinMs }: { withinMs: number },
): Promise<{ items: AuditEvent[]; nextCursor: string | null }> {
  const page = (tx: Db) =>
    tx
      .select()
      .from(auditEvents)
      .where(and(auditCondition(reader.workspaceId, filter), cursor === undefined ? undefined : olderThan(cursor)))
      .orderBy(desc(auditEvents.at), desc(auditEvents.id))
      .limit(limit + 1);
  const isIndexed = Object.entries(filter).every(([name, value]) => value === undefined || indexed.has(name));
  const found = await (isIndexed ? page(db()) : bounded(withinMs, page));
  const { rows, nextCursor } = toPage(found, limit, ({ at, id }) => [at.toISOString(), id]);
  const names = await readSubjectNames(reader, rows);
  return { items: rows.map((row) => presentAuditEvent(row, names.get(row.subject ?? "") ?? null)), nextCursor };
}

function olderThan(cursor: string): SQL {
  const [at, id] = decodeCursor(cursor, Cursor);
  return sql`(${auditEvents.at}, ${auditEvents.id}) < (${at}::timestamptz, ${id}::uuid)`;
}

/** Runs a query with a time limit and without parallel workers, because a viewer's search must not slow down tool calls. */
async function bounded<T>(withinMs: number, query: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await db().transaction(
      async (tx) => {
        const limit = `set_config('statement_timeout', '${withinMs}', true), set_config('max_parallel_workers_per_gather', '0', true)`;
        await tx.execute(sql.raw(`select ${limit}`));
        return query(tx);
      },
      { accessMode: "read only" },
    );
  } catch (error) {
    if (findSqlState(error) !== "57014") throw error;
    throw new AppError(
      "timed_out",
      `The search read the audit for ${withinMs / 1_000} s without filling a page. Narrow it with \`from\` and \`to\`, a tool or a conversation.`,
    );
  }
}
