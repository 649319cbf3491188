import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { auditEventNames } from "../../contracts/audit";
import { actorTypes, type JsonObject } from "../../contracts/common";
import { verdicts } from "../../contracts/decision";
import { moment } from "../columns";
import { v7 } from "../uuid";

/**
 * Append-only. A migration of its own turns this table into one partitioned by month of `at`, which the generator
 * cannot say; no foreign keys, because the record outlives what it records.
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
    verdict: text({ enum: verdicts }),
    conversationId: uuid(),
    turnId: uuid(),
    callId: uuid(),
    data: jsonb().$type<JsonObject>().notNull().default({}),
    requestId: text(),
  },
  (table) => [
    primaryKey({ columns: [table.at, table.id] }),
    index("audit_events_newest").on(table.workspaceId, table.at, table.id),
    index("audit_events_by_tool").on(table.workspaceId, table.tool, table.at),
    index("audit_events_by_conversation").on(table.conversationId, table.at),
  ],
);
