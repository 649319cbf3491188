import { boolean, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { type OfferedModel, providerKinds } from "../../contracts/models/models";
import { id, times } from "../columns";
import { declareText } from "../personal-text";
import { workspaces } from "./workspaces";

/** Services that answer requests to language models, with the models that a workspace uses. */
export const modelProviders = pgTable(
  "model_providers",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    kind: text({ enum: providerKinds }).notNull(),
    baseUrl: text().notNull(),
    keySealed: text(),
    enabled: boolean().notNull().default(true),
    /** In order of preference. */
    models: jsonb().$type<OfferedModel[]>().notNull().default([]),
    /** Place in the fallback chain. */
    position: integer().notNull(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);

export const modelProvidersText = declareText({
  stays: [modelProviders],
});
