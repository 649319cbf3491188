import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { authKinds, type FetchMethod } from "../../../contracts/tools/auth-profiles";
import type { HttpRequestTemplate } from "../../../contracts/tools/http-tools";
import { id, times } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";
import { tools } from "./tools";

/** Credentials that are added to requests of HTTP tools and of url_fetch, each bound to one origin. */
export const authProfiles = pgTable(
  "auth_profiles",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    kind: text({ enum: authKinds }).notNull(),
    origin: text().notNull(),
    /** Name of the header or query parameter. */
    parameter: text(),
    username: text(),
    secretSealed: text().notNull(),
    /** Agents may name the profile in url_fetch. */
    allowsFetch: boolean().notNull().default(false),
    /** Paths and methods with which url_fetch may send it; empty: all of the origin. */
    fetchPaths: jsonb().$type<string[]>().notNull().default([]),
    fetchMethods: jsonb().$type<FetchMethod[]>().notNull().default([]),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);

/** The request of each tool whose source is `http`. */
export const httpTools = pgTable(
  "http_tools",
  {
    toolId: uuid()
      .primaryKey()
      .references(() => tools.id, { onDelete: "cascade" }),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** Name of the imported API; absent for a single tool. */
    api: text(),
    request: jsonb().$type<Omit<HttpRequestTemplate, "authProfileId">>().notNull(),
    authProfileId: uuid().references(() => authProfiles.id),
    ...times,
  },
  (table) => [index().on(table.workspaceId), index().on(table.authProfileId)],
);

export const httpToolsText = declareText({
  stays: [authProfiles, httpTools],
});
