import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../contracts/common";
import { memoryEntryTypes, memoryScopes } from "../../contracts/memory";
import { createdAt, id, times, wordVector } from "../columns";
import { agents } from "./agents";
import { workspaces } from "./workspaces";

const place = () => ({
  workspaceId: uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  agentId: uuid()
    .notNull()
    .references(() => agents.id, { onDelete: "cascade" }),
  scope: text({ enum: memoryScopes }).notNull(),
  /** The owner of personal memory, such as `user:<id>`; empty for shared memory. */
  ownerKey: text().notNull().default(""),
});

/** Markdown files that an agent remembers by. */
export const memoryFiles = pgTable(
  "memory_files",
  {
    id: id(),
    ...place(),
    filename: text().notNull(),
    content: text().notNull(),
    /** The file stands in the prompt. */
    enabled: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    words: wordVector().notNull(),
    wordCount: integer().notNull(),
    ...times,
  },
  (table) => [unique().on(table.agentId, table.scope, table.ownerKey, table.filename), index().using("gin", table.words)],
);

/** Contents that a memory file had, each with its author. */
export const memoryFileVersions = pgTable(
  "memory_file_versions",
  {
    id: id(),
    fileId: uuid()
      .notNull()
      .references(() => memoryFiles.id, { onDelete: "cascade" }),
    version: integer().notNull(),
    content: text().notNull(),
    author: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.fileId, table.version)],
);

/** Short facts that an agent remembers by type and key. */
export const memoryEntries = pgTable(
  "memory_entries",
  {
    id: id(),
    ...place(),
    type: text({ enum: memoryEntryTypes }).notNull(),
    key: text().notNull(),
    content: text().notNull(),
    author: jsonb().$type<ActorRef>().notNull(),
    ...times,
  },
  (table) => [unique().on(table.agentId, table.scope, table.ownerKey, table.type, table.key)],
);
