import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { auditEventNames } from "../../../contracts/audit/audit";
import { actorTypes, type JsonObject } from "../../../contracts/common";
import { verdicts } from "../../../contracts/decisions/decision";
import { moment } from "../../columns";
import { declareText } from "../../personal-text";
import { v7 } from "../../uuid";

/**
 * Append-only; no foreign keys, because the record outlives its subject. The initial migration partitions this table by
 * month of `at` with SQL written by hand, because the generator cannot express partitions.
 */
export const auditEvents = pgTable(
  "audit_events",
  {
    id: uuid().notNull().$defaultFn(v7),
    at: moment().notNull().default(sql`now()`),
    workspaceId: uuid().notNull(),
    event: text({ enum: auditEventNames }).notNull(),
    actorType: text({ enum: actorTypes }).notNull(),
    actorId: text().notNull(),
    actorName: text().notNull(),
    subject: text(),
    tool: text(),
    /** Name of the agent whose conversation the call belongs to. */
    agent: text(),
    /** The tool's source: `builtin`, `mcp:<alias>` and so on. */
    source: text(),
    verdict: text({ enum: verdicts }),
    conversationId: uuid(),
    turnId: uuid(),
    callId: uuid(),
    data: jsonb().$type<JsonObject>().notNull().default({}),
    requestId: text(),
    /** When a row of the backlog moved here with its original time; null for every other row. */
    movedAt: moment(),
    /**
     * The transaction that wrote the row. Rows below the oldest running transaction are final, so that the sealer reads
     * every row once in the order of `(xid, id)`, however late a transaction commits.
     */
    xid: bigint({ mode: "number" }).notNull().default(sql`audit_position(pg_current_xact_id())`),
  },
  (table) => [
    primaryKey({ columns: [table.at, table.id] }),
    index("audit_events_in_order").on(table.workspaceId, table.xid, table.id),
    index("audit_events_newest").on(table.workspaceId, table.at, table.id),
    index("audit_events_by_tool").on(table.workspaceId, table.tool, table.at),
    index("audit_events_by_conversation").on(table.conversationId, table.at),
    // In byte order, so that all events of a noun are a range.
    index("audit_events_by_event").on(table.workspaceId, sql`(${table.event} collate "C")`, table.at),
    index("audit_events_by_agent").on(table.workspaceId, sql`lower(${table.agent})`, table.at),
    index("audit_events_by_source").on(table.workspaceId, table.source, table.at),
    index("audit_events_by_verdict").on(table.workspaceId, table.verdict, table.at).where(sql`${table.verdict} <> 'allow'`),
    index("audit_events_by_actor").on(table.workspaceId, table.actorId, table.at),
    index("audit_events_by_actor_name").on(table.workspaceId, sql`lower(${table.actorName})`, table.at),
    // Serves erasures: the subject of an event outside of conversations.
    index("audit_events_by_subject").on(table.workspaceId, table.subject).where(sql`${table.conversationId} is null`),
  ],
);

/**
 * Audit rows of outcomes that could not be written to the audit at the time. They move there as soon as possible;
 * normally the table is empty.
 */
export const auditBacklog = pgTable("audit_backlog", {
  id: uuid().primaryKey(),
  at: moment().notNull().default(sql`now()`),
  workspaceId: uuid().notNull(),
  /** The row as `auditJson` returns it. */
  entry: jsonb().$type<JsonObject>().notNull(),
});

export const auditEventsText = declareText({
  family: [auditEvents, auditBacklog],
});
