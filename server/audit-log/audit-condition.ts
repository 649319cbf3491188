import "server-only";
import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { AuditFilter } from "@/contracts/audit/audit";
import { auditEvents } from "@/db/schema";
import { containsPattern } from "@/server/platform/database/like-pattern";

/**
 * Returns the SQL condition of a filter on one workspace's audit rows, without its actor, who has two names; `from` is inclusive, `to` is
 * exclusive.
 */
export function auditCondition(workspaceId: string, filter: Omit<AuditFilter, "actor">): SQL | undefined {
  const { event, tool, agent, source, verdict, conversationId, from, to, query = "" } = filter;
  return and(
    eq(auditEvents.workspaceId, workspaceId),
    event === undefined ? undefined : named(event),
    tool === undefined ? undefined : eq(auditEvents.tool, tool),
    agent === undefined ? undefined : sql`lower(${auditEvents.agent}) = lower(${agent})`,
    source === undefined ? undefined : eq(auditEvents.source, source),
    verdict === undefined ? undefined : eq(auditEvents.verdict, verdict),
    // The index of verdicts leaves out what was allowed, and Postgres must see that in the statement.
    verdict === undefined || verdict === "allow" ? undefined : sql`${auditEvents.verdict} <> 'allow'`,
    conversationId === undefined ? undefined : eq(auditEvents.conversationId, conversationId),
    from === undefined ? undefined : gte(auditEvents.at, moment(from)),
    to === undefined ? undefined : lt(auditEvents.at, moment(to)),
    ...query.split(/\s+/).filter(Boolean).map(holds),
  );
}

export const hasActorId = (actor: string): SQL => eq(auditEvents.actorId, actor);
export const hasActorName = (actor: string): SQL => sql`lower(${auditEvents.actorName}) = lower(${actor})`;

/** Matches a whole event name (`tool.updated`), or all events of a noun (`tool`). */
function named(event: string): SQL {
  const name = sql`${auditEvents.event} collate "C"`;
  // In byte order "/" follows ".": the range has every name that begins with the noun and a point.
  return event.includes(".") ? sql`${name} = ${event}` : sql`${name} >= ${`${event}.`} and ${name} < ${`${event}/`}`;
}

/** Matches a word in the subject or in the data; in the data, quotes and backslashes are escaped as in JSON. */
function holds(word: string): SQL {
  const inText = containsPattern(word);
  const inJson = containsPattern(JSON.stringify(word).slice(1, -1));
  return sql`(${auditEvents.subject} ilike ${inText} or ${auditEvents.data}::text ilike ${inJson})`;
}

/** Clamps a time to 1970 or later, because Postgres has no year 0 and no event is older. */
export const moment = (time: string) => new Date(Math.max(Date.parse(time), 0));
