import "server-only";
import { and, eq, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { AuditFilter } from "@/contracts/audit";
import { auditEvents } from "@/db/schema";

/** The condition that a filter puts on the audit rows of one workspace; `from` is inclusive, `to` is not. */
export function coveredBy(workspaceId: string, filter: AuditFilter): SQL | undefined {
  const { event, tool, verdict, actor, conversationId, from, to, query = "" } = filter;
  return and(
    eq(auditEvents.workspaceId, workspaceId),
    event === undefined ? undefined : named(event),
    tool === undefined ? undefined : eq(auditEvents.tool, tool),
    verdict === undefined ? undefined : eq(auditEvents.verdict, verdict),
    actor === undefined ? undefined : or(eq(auditEvents.actorId, actor), sql`lower(${auditEvents.actorName}) = lower(${actor})`),
    conversationId === undefined ? undefined : eq(auditEvents.conversationId, conversationId),
    from === undefined ? undefined : gte(auditEvents.at, moment(from)),
    to === undefined ? undefined : lt(auditEvents.at, moment(to)),
    ...query.split(/\s+/).filter(Boolean).map(holds),
  );
}

/** A whole event name, or a noun for all of its events. */
function named(event: string): SQL {
  return event.includes(".") ? sql`${auditEvents.event} = ${event}` : sql`${auditEvents.event} like ${`${literally(event)}.%`}`;
}

/** A word in the subject or in the data, where quotes and backslashes stand escaped as JSON has them. */
function holds(word: string): SQL {
  const inText = `%${literally(word)}%`;
  const inJson = `%${literally(JSON.stringify(word).slice(1, -1))}%`;
  return sql`(${auditEvents.subject} ilike ${inText} or ${auditEvents.data}::text ilike ${inJson})`;
}

/** Takes the meaning that LIKE gives to `%`, `_` and `\` away from a text. */
const literally = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** Postgres knows no year 0, and nothing was recorded before 1970. */
const moment = (time: string) => new Date(Math.max(Date.parse(time), 0));
