import { boolean, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { times } from "../columns";
import { workspaces } from "./workspaces";

/** The external pipeline that carries out a workspace's tasks of core_execute. */
export const delegates = pgTable("delegates", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  url: text().notNull(),
  /** Sealed secret; absent: requests carry none. */
  secret: text(),
  timeoutSeconds: integer().notNull().default(1_800),
  enabled: boolean().notNull().default(true),
  version: integer().notNull().default(1),
  ...times,
});
