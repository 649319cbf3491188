import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, real, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ActorRef, Json, JsonObject } from "../../../contracts/common";
import { type KnowledgeAgent, knowledgeModes } from "../../../contracts/knowledge/knowledge";
import { knowledgeLayers } from "../../../contracts/knowledge/knowledge-pages";
import { knowledgeSourceKinds, knowledgeSourceStates } from "../../../contracts/knowledge/knowledge-sources";
import { transformationFormats, transformationRunStates } from "../../../contracts/knowledge/knowledge-transformations";
import type { NamedModel } from "../../../contracts/models/models";
import { bits, createdAt, id, moment, times, wordVector } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

const ofWorkspace = () => ({
  workspaceId: uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" }),
});
const ofBase = () => ({
  ...ofWorkspace(),
  baseId: uuid()
    .notNull()
    .references(() => knowledgeBases.id, { onDelete: "cascade" }),
});

/** Bodies of knowledge: sources as they came, and pages about them. */
export const knowledgeBases = pgTable(
  "knowledge_bases",
  {
    id: id(),
    ...ofWorkspace(),
    name: text().notNull(),
    description: text().notNull().default(""),
    mode: text({ enum: knowledgeModes }).notNull().default("lazy"),
    /** Agents that may read the base, and write which types of pages. */
    agents: jsonb().$type<KnowledgeAgent[]>().notNull().default([]),
    /** The agent whose models write pages and run transformations. */
    writerAgentId: uuid(),
    /** Absolute path of a folder of the machine whose files are sources. */
    watchedFolder: text(),
    /** The model that embeds passages and pages; null without one, so that search is by words. */
    embeddingModel: jsonb().$type<NamedModel>(),
    /** The reason for which the last embeddings could not be made. */
    embeddingFault: text(),
    /** When embeddings were last stored or tried. */
    embeddedAt: moment(),
    /** Why the folder could not be read when it was last looked at. */
    folderFault: text(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);

/** Documents of a base. Their bytes stand in the blob store as they came. */
export const knowledgeSources = pgTable(
  "knowledge_sources",
  {
    id: id(),
    ...ofBase(),
    name: text().notNull(),
    kind: text({ enum: knowledgeSourceKinds }).notNull(),
    /** URL or path of the machine from which the source came. */
    origin: text(),
    mediaType: text().notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    /** Size and times of a watched file when it was read, so that an unchanged one is not opened again. */
    signature: text(),
    state: text({ enum: knowledgeSourceStates }).notNull().default("pending"),
    /** Why the source failed, or what its text lacks. */
    reason: text(),
    /** Pages that are read, of the pages of the document; both null before the first is read, and for one without pages. */
    pagesRead: integer(),
    pageCount: integer(),
    /** A part of the text could not be read. */
    hasGaps: boolean().notNull().default(false),
    /** Places of the text that can be opened: pages of the document, or stretches of one without pages. */
    partCount: integer().notNull().default(0),
    chunkCount: integer().notNull().default(0),
    characters: integer().notNull().default(0),
    /** Counts the contents that the source had. */
    revision: integer().notNull().default(1),
    readAt: moment(),
    addedBy: jsonb().$type<ActorRef>().notNull(),
    ...times,
  },
  (table) => [
    unique().on(table.baseId, table.name),
    index().on(table.workspaceId),
    index("knowledge_sources_unread").on(table.updatedAt).where(sql`${table.state} in ('pending', 'processing')`),
  ],
);

/** The text of a source: a page of the document, or a stretch of one without pages. */
export const knowledgeParts = pgTable(
  "knowledge_parts",
  {
    id: id(),
    sourceId: uuid()
      .notNull()
      .references(() => knowledgeSources.id, { onDelete: "cascade" }),
    number: integer().notNull(),
    text: text().notNull(),
  },
  (table) => [unique().on(table.sourceId, table.number)],
);

/** Passages of sources that are searched and cited as one. */
export const knowledgeChunks = pgTable(
  "knowledge_chunks",
  {
    id: id(),
    ...ofBase(),
    sourceId: uuid()
      .notNull()
      .references(() => knowledgeSources.id, { onDelete: "cascade" }),
    part: integer().notNull(),
    /** Page of the document; null for one without pages. */
    page: integer(),
    headings: jsonb().$type<string[]>().notNull(),
    text: text().notNull(),
    /** Place in the text of the part. */
    start: integer().notNull(),
    end: integer().notNull(),
    line: integer().notNull(),
    tokens: integer().notNull(),
    words: wordVector().notNull(),
    wordCount: integer().notNull(),
  },
  (table) => [index().using("gin", table.words), index().on(table.sourceId), index().on(table.baseId)],
);

/** Pages that people and agents write about sources, linked with each other. */
export const knowledgePages = pgTable(
  "knowledge_pages",
  {
    id: id(),
    ...ofBase(),
    slug: text().notNull(),
    /** Slugs that the page had. */
    aliases: jsonb().$type<string[]>().notNull().default([]),
    type: text().notNull(),
    layer: text({ enum: knowledgeLayers }).notNull().default("fact"),
    title: text().notNull(),
    summary: text().notNull().default(""),
    content: text().notNull(),
    /** People look after the page; agents do not change it. */
    curated: boolean().notNull().default(false),
    /** `overview` and `log`, which belong to the base itself. */
    isSystem: boolean().notNull().default(false),
    archived: boolean().notNull().default(false),
    /** Why the page may be outdated; null while it is fresh. */
    staleReason: text(),
    version: integer().notNull().default(1),
    lastUpdatedBy: jsonb().$type<ActorRef>().notNull(),
    words: wordVector().notNull(),
    wordCount: integer().notNull(),
    ...times,
  },
  (table) => [unique().on(table.baseId, table.slug), index().using("gin", table.words), index().on(table.workspaceId)],
);

/** Embeddings of passages and pages, each by one model. A changed page loses its own. */
export const knowledgeEmbeddings = pgTable(
  "knowledge_embeddings",
  {
    id: id(),
    baseId: uuid()
      .notNull()
      .references(() => knowledgeBases.id, { onDelete: "cascade" }),
    chunkId: uuid().references(() => knowledgeChunks.id, { onDelete: "cascade" }),
    pageId: uuid().references(() => knowledgePages.id, { onDelete: "cascade" }),
    /** Provider and name of the model, as `modelKey` writes them. */
    model: text().notNull(),
    /** Signs of the vector, which are compared first. */
    signs: bits().notNull(),
    /** The vector at the length one. */
    vector: real().array().notNull(),
  },
  (table) => [unique().on(table.chunkId), unique().on(table.pageId), index().on(table.baseId, table.model)],
);

/** Contents that a page had, each with its author. */
export const knowledgePageVersions = pgTable(
  "knowledge_page_versions",
  {
    id: id(),
    pageId: uuid()
      .notNull()
      .references(() => knowledgePages.id, { onDelete: "cascade" }),
    version: integer().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    author: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.pageId, table.version)],
);

/** Links from page to page. A broken link has no target yet. */
export const knowledgeLinks = pgTable(
  "knowledge_links",
  {
    id: id(),
    baseId: uuid()
      .notNull()
      .references(() => knowledgeBases.id, { onDelete: "cascade" }),
    fromPageId: uuid()
      .notNull()
      .references(() => knowledgePages.id, { onDelete: "cascade" }),
    /** The slug as it is written, in lower case. */
    slug: text().notNull(),
    toPageId: uuid().references(() => knowledgePages.id, { onDelete: "set null" }),
  },
  (table) => [unique().on(table.fromPageId, table.slug), index().on(table.toPageId), index().on(table.baseId, table.slug)],
);

/** Citations of a page: the source and the place for each `[n]`. */
export const knowledgeCitations = pgTable(
  "knowledge_citations",
  {
    id: id(),
    pageId: uuid()
      .notNull()
      .references(() => knowledgePages.id, { onDelete: "cascade" }),
    number: integer().notNull(),
    /** Null for a source that is not there, or not any more. */
    sourceId: uuid().references(() => knowledgeSources.id, { onDelete: "set null" }),
    /** The source as the page names it. */
    name: text().notNull(),
    /** The part of the source to open. */
    part: integer(),
  },
  (table) => [unique().on(table.pageId, table.number), index().on(table.sourceId)],
);

/** Prompts that make one text of another: summaries, tables of facts. */
export const knowledgeTransformations = pgTable(
  "knowledge_transformations",
  {
    id: id(),
    ...ofBase(),
    name: text().notNull(),
    prompt: text().notNull(),
    format: text({ enum: transformationFormats }).notNull(),
    /** JSON Schema of the output, for JSON. */
    schema: jsonb().$type<JsonObject>(),
    /** Runs on each new source. */
    appliesToNew: boolean().notNull().default(false),
    /** Keeps each output as a page of this type; null for none. */
    pageType: text(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.baseId, table.name)],
);

export const knowledgeTransformationRuns = pgTable(
  "knowledge_transformation_runs",
  {
    id: id(),
    ...ofBase(),
    transformationId: uuid()
      .notNull()
      .references(() => knowledgeTransformations.id, { onDelete: "cascade" }),
    sourceId: uuid().references(() => knowledgeSources.id, { onDelete: "cascade" }),
    pageId: uuid().references(() => knowledgePages.id, { onDelete: "cascade" }),
    state: text({ enum: transformationRunStates }).notNull().default("queued"),
    output: text(),
    /** The parsed output, for JSON. */
    data: jsonb().$type<Json>(),
    error: text(),
    /** The prompt that was used, so that runs can be compared after it changed. */
    prompt: text().notNull(),
    startedBy: jsonb().$type<ActorRef>().notNull(),
    finishedAt: moment(),
    ...times,
  },
  (table) => [index().on(table.transformationId, table.id), index().on(table.sourceId), index().on(table.pageId)],
);

/** Texts that members gather for the workspace belong to it and stay, without the names. */
export const knowledgeText = declareText({
  goes: [{ table: knowledgeTransformationRuns, maker: knowledgeTransformationRuns.startedBy }],
  family: [knowledgePages, knowledgePageVersions, knowledgeEmbeddings],
  stays: [knowledgeBases, knowledgeTransformations, knowledgeSources, knowledgeParts, knowledgeChunks, knowledgeCitations, knowledgeLinks],
});
