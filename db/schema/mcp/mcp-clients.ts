import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { mcpLogLevels } from "../../../contracts/mcp/mcp-contents";
import { createdAt, id, moment } from "../../columns";
import { declareText } from "../../personal-text";
import { apiKeys } from "../api-keys";
import { conversations } from "../conversations";
import { turns } from "../turns";
import { users } from "../users";
import { workspaces } from "../workspaces";

/** Sessions of MCP clients at /mcp (protocol revisions of 2025), shared by all replicas. */
export const mcpClientSessions = pgTable(
  "mcp_client_sessions",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** The API key or user that opened the session; no other actor may use it. */
    actorId: text().notNull(),
    /** SHA-256 of the id that the client sends. */
    tokenHash: text().notNull(),
    clientName: text().notNull(),
    /** The client opens addresses for its user (capability `elicitation.url`). */
    opensUrls: boolean().notNull().default(false),
    /** Requests of servers that the client answers. */
    answers: jsonb().$type<("form" | "url" | "sampling" | "roots")[]>().notNull().default([]),
    /** Lowest level of log messages that the client asked for; null before it asked. */
    logLevel: text({ enum: mcpLogLevels }),
    /** Addresses of the resources whose changes the client wants to hear of. */
    subscriptions: jsonb().$type<string[]>().notNull().default([]),
    /** Hash of the tool list that the client was last given; null before the first. */
    listedHash: text(),
    lastSeenAt: moment().notNull().default(sql`now()`),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("mcp_client_sessions_token").on(table.tokenHash), index("mcp_client_sessions_last_seen").on(table.lastSeenAt)],
);

/** Clients that a person allowed to use an agent's tools by OAuth. Each acts with an API key that nobody else has. */
export const mcpClientSignIns = pgTable(
  "mcp_client_sign_ins",
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    apiKeyId: uuid()
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    /** SHA-256 of the client's id. */
    clientHash: text().notNull(),
    redirectUri: text().notNull(),
    /** PKCE challenge by S256. */
    codeChallenge: text().notNull(),
    /** Number of the only refresh token that counts; 0 until the code was exchanged. */
    generation: integer().notNull().default(0),
    rotatedAt: moment().notNull().default(sql`now()`),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.apiKeyId), index().on(table.userId)],
);

/** Calls of MCP clients that were answered before they had a result; each result is delivered once. */
export const mcpPendingCalls = pgTable(
  "mcp_pending_calls",
  {
    turnId: uuid()
      .primaryKey()
      .references(() => turns.id, { onDelete: "cascade" }),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** SHA-256 of tool name and arguments: the same call sent again receives this call's result. */
    callDigest: text().notNull(),
    approvalId: uuid(),
    deliveredAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    index("mcp_pending_calls_open").on(table.conversationId, table.callDigest).where(sql`${table.deliveredAt} is null`),
    index("mcp_pending_calls_created").on(table.createdAt),
  ],
);

export const mcpClientsText = declareText({
  goes: [{ table: mcpClientSessions, person: mcpClientSessions.actorId }],
  stays: [mcpClientSignIns],
});
