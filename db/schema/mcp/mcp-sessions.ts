import { index, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, id } from "../../columns";
import { conversations } from "../conversations";
import { mcpServers } from "./mcp-servers";

/** Sessions that belong to one conversation or user, each with the replica that keeps it open. */
export const mcpSessions = pgTable(
  "mcp_sessions",
  {
    id: id(),
    mcpServerId: uuid()
      .notNull()
      .references(() => mcpServers.id, { onDelete: "cascade" }),
    /** `conversation:<id>` or `user:<type>:<id>`, and `:person:<id>:<sign-in>` where each person signs in. */
    scopeKey: text().notNull(),
    /** Set for a session of one conversation, and removed with the conversation. */
    conversationId: uuid().references(() => conversations.id, { onDelete: "cascade" }),
    /** Boot id of the replica that keeps the session open. */
    owner: text().notNull(),
    openedAt: createdAt(),
  },
  (table) => [unique().on(table.mcpServerId, table.scopeKey), index().on(table.owner), index().on(table.conversationId)],
);

/** Resources that a server's results have named in a conversation, so that the model may read them there. */
export const resourceLinks = pgTable(
  "resource_links",
  {
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    mcpServerId: uuid()
      .notNull()
      .references(() => mcpServers.id, { onDelete: "cascade" }),
    /** Hash of the URI, because an index entry is too small for a long URI. */
    uriHash: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.mcpServerId, table.uriHash] }), index().on(table.mcpServerId)],
);
