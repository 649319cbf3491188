import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { id, times } from "../columns";
import { declareText } from "../personal-text";

export const workspaces = pgTable("workspaces", {
  id: id(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  /** Counts every change of tools, servers, agents and policy, so that caches notice the change. */
  configVersion: bigint({ mode: "number" }).notNull().default(1),
  ...times,
});

export const workspacesText = declareText({
  stays: [workspaces],
});
