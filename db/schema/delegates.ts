import { boolean, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { times } from "../columns";
import { declareText } from "../personal-text";
import { agents } from "./agents";
import { workspaces } from "./workspaces";

/** The pipeline that carries out a workspace's tasks of core_execute: one over HTTP, or an agent of the workspace. */
export const delegates = pgTable("delegates", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  /** Absent when an agent carries the tasks out. */
  url: text(),
  agentId: uuid().references(() => agents.id, { onDelete: "cascade" }),
  /** Sealed secret; absent: requests carry none. */
  secret: text(),
  timeoutSeconds: integer().notNull().default(1_800),
  enabled: boolean().notNull().default(true),
  version: integer().notNull().default(1),
  ...times,
});

export const delegatesText = declareText({
  stays: [delegates],
});
