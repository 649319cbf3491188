import "server-only";
import { and, desc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditEvent, AuditFilter } from "@/contracts/audit";
import { auditEvents } from "@/db/schema";
import { decodeCursor, pageOf } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { coveredBy } from "./covered-by";
import { presentAuditEvent } from "./present-audit-event";

const Cursor = z.tuple([z.iso.datetime(), z.uuid()]);

/** The next `limit` events that a filter covers, newest first, after the cursor of the page before. */
export async function readAuditPage(
  workspaceId: string,
  { limit, cursor, ...filter }: AuditFilter & { limit: number; cursor?: string },
): Promise<{ items: AuditEvent[]; nextCursor: string | null }> {
  const found = await db()
    .select()
    .from(auditEvents)
    .where(and(coveredBy(workspaceId, filter), cursor === undefined ? undefined : olderThan(cursor)))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(limit + 1);
  const { rows, nextCursor } = pageOf(found, limit, ({ at, id }) => [at.toISOString(), id]);
  return { items: rows.map(presentAuditEvent), nextCursor };
}

function olderThan(cursor: string): SQL {
  const [at, id] = decodeCursor(cursor, Cursor);
  return sql`(${auditEvents.at}, ${auditEvents.id}) < (${at}::timestamptz, ${id}::uuid)`;
}
