import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { codingClients, connectionModes } from "../../contracts/agents/coding-agents";
import type { ActorRef } from "../../contracts/common";
import { machineBoxes } from "../../contracts/tools/machine";
import { createdAt, id, moment } from "../columns";
import { declareText } from "../personal-text";
import { conversations } from "./conversations";
import { workspaces } from "./workspaces";

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
    /** The client's word that a hook that fails blocks the call; absent for a client that asks by itself. */
    blocksOnFailure: boolean(),
    /** SHA-256 of the project's `.handrail.yaml`. It stays when the file goes while the session is open. */
    policyDigest: text(),
    startedAt: createdAt(),
    lastSeenAt: moment().notNull(),
    endedAt: moment(),
  },
  (table) => [unique().on(table.conversationId), index().on(table.workspaceId, table.lastSeenAt)],
);

/** Texts of the policy files of repositories, by their SHA-256. */
export const repositoryPolicies = pgTable(
  "repository_policies",
  {
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    digest: text().notNull(),
    text: text().notNull(),
    keptAt: moment().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.digest] })],
);

/** Clients on machines that were connected, one for each key, client and machine. */
export const codingConnections = pgTable(
  "coding_connections",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** Id of the key. */
    keyId: uuid().notNull(),
    key: jsonb().$type<ActorRef>().notNull(),
    client: text({ enum: codingClients }).notNull(),
    version: text(),
    host: text().notNull(),
    userName: text(),
    mode: text({ enum: connectionModes }).notNull(),
    connectedAt: moment().notNull().defaultNow(),
  },
  (table) => [unique().on(table.keyId, table.client, table.host)],
);

export const codingAgentsText = declareText({
  goes: [
    {
      table: codingConnections,
      rows: ({ id }) => sql`${codingConnections.keyId} in (select id from api_keys where created_by ->> 'id' = ${id})`,
    },
  ],
  stays: [repositoryPolicies],
});
