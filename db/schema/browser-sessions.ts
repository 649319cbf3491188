import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt } from "../columns";
import { conversations } from "./conversations";

/** Browsers of conversations, each with the replica that keeps it open. */
export const browserSessions = pgTable(
  "browser_sessions",
  {
    conversationId: uuid()
      .primaryKey()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** Boot id of the replica that keeps the browser open. */
    owner: text().notNull(),
    openedAt: createdAt(),
  },
  (table) => [index().on(table.owner)],
);
