import { boolean, doublePrecision, index, integer, jsonb, pgTable, primaryKey, real, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../contracts/common";
import { memoryEntryTypes, memoryScopes } from "../../contracts/memory/memory";
import { memoryChangeKinds, memoryChangeStatuses } from "../../contracts/memory/memory-upkeep";
import type { NamedModel } from "../../contracts/models/models";
import { bits, createdAt, id, moment, times, wordVector } from "../columns";
import { declareText } from "../personal-text";
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

/** Statements about subjects, each with the trust in it. */
export const memoryFacts = pgTable(
  "memory_facts",
  {
    id: id(),
    ...place(),
    subject: text().notNull(),
    /** The words of the subject in order, by which facts of one subject find each other. */
    subjectKey: text().notNull(),
    statement: text().notNull(),
    source: text(),
    /** From 0 to 1 at `trustedAt`; it halves in 60 days. */
    trust: doublePrecision().notNull(),
    trustedAt: moment().notNull(),
    confirmedAt: moment(),
    author: jsonb().$type<ActorRef>().notNull(),
    ...times,
  },
  (table) => [unique().on(table.agentId, table.scope, table.ownerKey, table.subjectKey, table.statement)],
);

/** Embeddings of remembered texts, by what the text is: a text that is in no memory any more loses its own. */
export const memoryEmbeddings = pgTable(
  "memory_embeddings",
  {
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** Provider and name of the model. */
    model: text().notNull(),
    /** SHA-256 of the text. */
    digest: text().notNull(),
    /** Signs of the vector, which are compared first. */
    signs: bits().notNull(),
    /** The vector at the length one. */
    vector: real().array().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.digest, table.model] })],
);

/** Switches for memory that an agent's model writes, both off without a row, and the model that finds memories by meaning. */
export const memorySettings = pgTable("memory_settings", {
  agentId: uuid()
    .primaryKey()
    .references(() => agents.id, { onDelete: "cascade" }),
  workspaceId: uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  extraction: boolean().notNull().default(false),
  consolidation: boolean().notNull().default(false),
  /** The model that embeds what is remembered; null without one, so that search is by words. */
  embeddingModel: jsonb().$type<NamedModel>(),
  version: integer().notNull().default(0),
  ...times,
});

/** A file that a change wrote, by its versions; `before` is null for a file that it added. */
export type ChangedMemoryFile = { id: string; filename: string; before: number | null; after: number };

/** An entry that a change removed. */
export type MergedMemoryEntry = { type: (typeof memoryEntryTypes)[number]; key: string; content: string };

/** Changes that an agent's model made in its memory by itself. */
export const memoryChanges = pgTable(
  "memory_changes",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    ownerKey: text().notNull(),
    kind: text({ enum: memoryChangeKinds }).notNull(),
    /** The run or the day of the change: work that is repeated after a crash changes nothing twice. */
    cause: text().notNull(),
    status: text({ enum: memoryChangeStatuses }).notNull(),
    reason: text().notNull(),
    conversationId: uuid(),
    files: jsonb().$type<ChangedMemoryFile[]>().notNull(),
    factIds: jsonb().$type<string[]>().notNull(),
    /** Entries that were merged into others, as they were. */
    mergedEntries: jsonb().$type<MergedMemoryEntry[]>().notNull(),
    undoneAt: moment(),
    ...times,
  },
  (table) => [
    unique().on(table.agentId, table.ownerKey, table.kind, table.cause),
    index("memory_changes_conversation").on(table.conversationId, table.id),
  ],
);

export const memoryText = declareText({
  goes: [
    { table: memoryEntries, owner: memoryEntries.ownerKey, maker: memoryEntries.author },
    { table: memoryFacts, owner: memoryFacts.ownerKey, maker: memoryFacts.author },
    { table: memoryChanges, owner: memoryChanges.ownerKey, conversation: memoryChanges.conversationId },
  ],
  family: [memoryFiles, memoryFileVersions, memoryEmbeddings],
  stays: [memorySettings],
});
