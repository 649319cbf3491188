import { index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id } from "../columns";
import { conversations } from "./conversations";
import { workspaces } from "./workspaces";

/** Metadata of bytes that a call produced; the blob store holds the bytes under `sha256`. */
export const artifacts = pgTable(
  "artifacts",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    callId: uuid().notNull(),
    name: text().notNull(),
    mediaType: text().notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.workspaceId, table.id), index().on(table.conversationId), index().on(table.callId)],
);
