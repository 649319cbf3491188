import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { codingClients } from "../../contracts/coding-agents";
import type { ActorRef } from "../../contracts/common";
import { machineBoxes } from "../../contracts/machine";
import { createdAt, id, moment } from "../columns";
import { conversations } from "./conversations";

/** Sessions of coding agents on somebody's machine, one for each subagent. Each has a conversation. */
export const codingSessions = pgTable(
  "coding_sessions",
  {
    id: id(),
    workspaceId: uuid().notNull(),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    client: text({ enum: codingClients }).notNull(),
    version: text(),
    /** The client's own id. */
    session: text().notNull(),
    /** The subagent; absent for the session itself. */
    agent: text(),
    /** The project as the session began in it. A later change of the working folder does not move it. */
    folder: text().notNull(),
    home: text().notNull(),
    repository: text(),
    host: text(),
    userName: text(),
    box: text({ enum: machineBoxes }).notNull(),
    /** Whose key the client uses. */
    key: jsonb().$type<ActorRef>().notNull(),
    /** Results of calls that were not released. */
    bypassed: integer().notNull().default(0),
    /** Seconds after which the client gives up a hook; absent for a client that asks by itself. */
    hookTimeout: integer(),
    startedAt: createdAt(),
    lastSeenAt: moment().notNull(),
    endedAt: moment(),
  },
  (table) => [unique().on(table.conversationId), index().on(table.workspaceId, table.lastSeenAt)],
);
