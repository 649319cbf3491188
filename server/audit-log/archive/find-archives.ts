import "server-only";
import { and, desc, eq, gte, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { AuditFilter } from "@/contracts/audit/audit";
import type { Db } from "@/db/client";
import { auditArchives } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { moment } from "../audit-condition";
import { type Archive, archiveColumns, isArchiveError } from "./archive-files";

/** SQL that selects the archives of a workspace whose rows are in their files, and not in the table. */
export const inUse = (workspaceId: string) => and(eq(auditArchives.workspaceId, workspaceId), isNull(auditArchives.unusedSince));

/** Repeats a reading once when the rows of an archive that it could not read were taken back into the table meanwhile. */
export async function throughMoves<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isArchiveError(error) || (await isInUse(error.archive))) throw error;
    return read();
  }
}

async function isInUse({ id, workspaceId }: Archive): Promise<boolean> {
  return (await db().$count(auditArchives, and(inUse(workspaceId), eq(auditArchives.id, id)))) > 0;
}

/**
 * Finds the archives that may have rows of a filter, newest first.
 * @param since earliest time of a row that still fits the page; null when every row does
 * @param until latest time of a row of the page; null for the first page
 */
export function findArchives(
  tx: Db,
  workspaceId: string,
  filter: AuditFilter,
  { since, until }: { since: Date | null; until: Date | null },
): Promise<Archive[]> {
  const { from, to } = filter;
  return tx
    .select(archiveColumns)
    .from(auditArchives)
    .where(
      and(
        inUse(workspaceId),
        since === null ? undefined : gte(auditArchives.maxAt, since),
        until === null ? undefined : lte(auditArchives.minAt, until),
        from === undefined ? undefined : gte(auditArchives.maxAt, moment(from)),
        to === undefined ? undefined : lt(auditArchives.minAt, moment(to)),
        ...namesOf(filter),
      ),
    )
    .orderBy(desc(auditArchives.maxAt), desc(auditArchives.firstSeal));
}

const names = auditArchives.names;

function namesOf({ event, tool, agent, source, verdict, actor, conversationId }: AuditFilter): SQL[] {
  const named = (noun: string, value: string | undefined): SQL[] =>
    value === undefined ? [] : [sql`${`${noun}:${value}`} = any(${names})`];
  return [
    ...named("event", event),
    ...named("tool", tool),
    ...named("source", source),
    ...named("verdict", verdict),
    ...named("conversation", conversationId),
    ...(agent === undefined ? [] : [sql`'agent:' || lower(${agent}) = any(${names})`]),
    ...(actor === undefined ? [] : [sql`${names} && array['actor:' || ${actor}, 'actor:' || lower(${actor})]`]),
  ];
}

/** SQL of what rows of `audit_events as e` name, as `namesOf` looks for it; an aggregate. */
export const namesOfRows: SQL = sql.raw(`(select coalesce(array_agg(distinct name), '{}') from (
  select unnest(array['event:' || e.event, 'event:' || split_part(e.event, '.', 1), 'tool:' || e.tool, 'source:' || e.source, 'verdict:' || e.verdict,
    'conversation:' || e.conversation_id, 'agent:' || lower(e.agent), 'actor:' || e.actor_id, 'actor:' || lower(e.actor_name),
    case when e.conversation_id is null then 'subject:' || e.subject end]) as name from rows e) named where name is not null)`);
