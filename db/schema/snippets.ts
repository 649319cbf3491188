import { integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { id, times } from "../columns";
import { workspaces } from "./workspaces";

/** Texts with a name that people write and agents read. */
export const snippets = pgTable(
  "snippets",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    text: text().notNull(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);
