import { boolean, integer, jsonb, pgTable, uuid } from "drizzle-orm/pg-core";
import type { SearchProviderId } from "../../../contracts/tools/search-settings";
import { times } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

/** `key` is sealed. */
export type StoredSearchProvider = { id: SearchProviderId; enabled: boolean; address: string | null; key: string | null };

/** The search providers of a workspace in their order; without a row, the defaults apply. */
export const searchSettings = pgTable("search_settings", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  enabled: boolean().notNull().default(true),
  fallback: boolean().notNull().default(true),
  providers: jsonb().$type<StoredSearchProvider[]>().notNull().default([]),
  version: integer().notNull().default(1),
  ...times,
});

export const searchSettingsText = declareText({
  stays: [searchSettings],
});
