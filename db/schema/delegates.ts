import { boolean, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { times } from "../columns";
import { workspaces } from "./workspaces";

/** The pipeline that core_execute hands a workspace's tasks to. */
export const delegates = pgTable("delegates", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  url: text().notNull(),
  /** Sealed; absent: requests carry no secret. */
  secret: text(),
  timeoutSeconds: integer().notNull().default(1_800),
  enabled: boolean().notNull().default(true),
  version: integer().notNull().default(1),
  ...times,
});
