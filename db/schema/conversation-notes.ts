import { sql } from "drizzle-orm";
import { jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { Json } from "../../contracts/common";
import { moment } from "../columns";
import { conversations } from "./conversations";

export const noteAreas = ["scratchpad", "todo", "plan", "progress", "goal"] as const;

/** Values by key that the model of one conversation keeps between its turns. */
export const conversationNotes = pgTable(
  "conversation_notes",
  {
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    area: text({ enum: noteAreas }).notNull(),
    key: text().notNull(),
    value: jsonb().$type<Json>().notNull(),
    updatedAt: moment().notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.area, table.key] })],
);
