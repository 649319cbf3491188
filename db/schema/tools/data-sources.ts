import { boolean, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { dataSourceKinds, sslModes } from "../../../contracts/tools/data-sources";
import { id, times } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

/** Databases that agents of a workspace may read. */
export const dataSources = pgTable(
  "data_sources",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    kind: text({ enum: dataSourceKinds }).notNull(),
    description: text().notNull(),
    host: text().notNull(),
    /** Absent for SQLite. */
    port: integer(),
    database: text().notNull(),
    username: text().notNull(),
    sslMode: text({ enum: sslModes }).notNull(),
    /** Path of a SQLite file. */
    file: text().notNull(),
    passwordSealed: text(),
    enabled: boolean().notNull().default(true),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);

export const dataSourcesText = declareText({
  stays: [dataSources],
});
