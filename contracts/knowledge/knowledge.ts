import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { NamedModel } from "../models/models";
import { KnowledgeName, KnowledgePageType, lineOf } from "./knowledge-names";
import { knowledgePageEndpoints } from "./knowledge-pages";
import { knowledgeSourceEndpoints } from "./knowledge-sources";

export const knowledgeModes = ["lazy", "eager"] as const;
export const knowledgeAccess = ["read", "write"] as const;

export const KnowledgeAgent = z.strictObject({
  agentId: Id,
  access: z.enum(knowledgeAccess).default("read").describe("`write` includes reading."),
  pageTypes: z.array(KnowledgePageType).max(50).default([]).describe("Types of pages that the agent may write; empty for all."),
});
export type KnowledgeAgent = z.infer<typeof KnowledgeAgent>;

const baseMembers = {
  name: KnowledgeName,
  description: lineOf(500).default("").describe("Tells agents what the base knows."),
  mode: z
    .enum(knowledgeModes)
    .default("lazy")
    .describe("`lazy` reads sources; `eager` also writes pages about them by the writer's model."),
  agents: z.array(KnowledgeAgent).max(200).default([]).describe("Agents that may use the base."),
  writerAgentId: Id.nullable().default(null).describe("The agent whose models write pages and run transformations."),
  watchedFolder: lineOf(1_000)
    .nullable()
    .default(null)
    .describe("Absolute path of a folder of Handrail's machine whose files are sources; only an owner sets it."),
  embeddingModel: NamedModel.nullable()
    .default(null)
    .describe("The model whose embeddings find passages by meaning; without one, search is by words. Texts of the base are sent to it."),
};

export const KnowledgeBaseDraft = z
  .strictObject(baseMembers)
  .meta({ examples: [{ name: "Handbook", description: "How we work", agents: [{ agentId: "00000000-0000-7000-8000-000000000000" }] }] });
export type KnowledgeBaseDraft = z.infer<typeof KnowledgeBaseDraft>;

export const KnowledgeBase = z
  .object({
    id: Id,
    ...baseMembers,
    folderFault: z.string().nullable().describe("Why the watched folder could not be read when it was last looked at."),
    embeddingFault: z.string().nullable().describe("Why the last embeddings could not be made."),
    embedded: z.number().int().describe("Passages and pages with an embedding of the model."),
    embeddable: z.number().int().describe("Passages and pages; 0 without a model."),
    sources: z.number().int(),
    unread: z.number().int().describe("Sources that are pending or processing."),
    failed: z.number().int().describe("Sources that failed, or whose text has gaps."),
    pages: z.number().int().describe("Pages that are not archived."),
    stale: z.number().int(),
    brokenLinks: z.number().int(),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "KnowledgeBase" });
export type KnowledgeBase = z.infer<typeof KnowledgeBase>;

export const KnowledgeHit = z
  .object({
    kind: z.enum(["page", "source"]),
    id: Id.describe("Of the page, or of the source."),
    slug: z.string().nullable(),
    title: z.string(),
    headings: z.array(z.string()),
    part: z.number().int().nullable(),
    page: z.number().int().nullable(),
    snippet: z.string(),
    matched: z.array(z.string()).describe("Words of the request that the hit has."),
    matchedBy: z.array(z.enum(["words", "name", "meaning"])),
    score: z.number(),
  })
  .meta({ id: "KnowledgeHit" });
export type KnowledgeHit = z.infer<typeof KnowledgeHit>;

export const KnowledgeGraph = z
  .object({
    nodes: z.array(
      z.object({ id: Id, slug: z.string(), title: z.string(), type: z.string(), links: z.number().int(), isStale: z.boolean() }),
    ),
    edges: z
      .array(z.object({ from: z.number().int(), to: z.number().int() }))
      .describe("Links, each by the places of its two pages in `nodes`."),
    isCut: z.boolean().describe("The base has more pages than are shown."),
  })
  .meta({ id: "KnowledgeGraph" });
export type KnowledgeGraph = z.infer<typeof KnowledgeGraph>;

const params = z.object({ id: Id });
const read = "knowledge:read";
const write = "knowledge:write";
const base = "/api/v1/knowledge-bases";

export const knowledgeEndpoints = {
  list: endpoint({
    method: "GET",
    path: base,
    summary: "Knowledge bases of the workspace; a bound key sees those of its agent",
    permission: read,
    query: z.object(pageQuery),
    response: listOf(KnowledgeBase),
  }),
  create: endpoint({
    method: "POST",
    path: base,
    summary: "Add a knowledge base",
    permission: write,
    body: KnowledgeBaseDraft,
    response: KnowledgeBase,
    status: 201,
  }),
  get: endpoint({ method: "GET", path: `${base}/{id}`, summary: "One knowledge base", permission: read, params, response: KnowledgeBase }),
  update: endpoint({
    method: "PUT",
    path: `${base}/{id}`,
    summary: "Replace the settings of a knowledge base",
    headers: ["If-Match"],
    permission: write,
    params,
    body: KnowledgeBaseDraft,
    response: KnowledgeBase,
  }),
  remove: endpoint({
    method: "DELETE",
    path: `${base}/{id}`,
    summary: "Remove a knowledge base with its sources and pages",
    headers: ["If-Match"],
    permission: write,
    params,
    response: Empty,
  }),
  search: endpoint({
    method: "GET",
    path: `${base}/{id}/search`,
    summary: "Pages and passages that fit a request, best first, with the words that matched",
    permission: read,
    params,
    query: z.object({
      query: z.string().trim().max(500).default("").describe("Words to find; without any nothing fits."),
      in: z.enum(["all", "pages", "sources"]).default("all"),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    response: z.object({
      items: z.array(KnowledgeHit),
      note: z.string().nullable().describe("What the search lacks, such as the meaning when its model does not answer."),
    }),
  }),
  graph: endpoint({
    method: "GET",
    path: `${base}/{id}/graph`,
    summary: "Pages and their links, at most 5,000 pages",
    permission: read,
    params,
    response: KnowledgeGraph,
  }),
  ...knowledgeSourceEndpoints,
  ...knowledgePageEndpoints,
};

export const knowledgeContract = defineContract({
  reference: {
    name: "Knowledge",
    description: "Knowledge bases: sources as they came, their searched text, and linked pages that cite them.",
  },
  glossary: {
    "knowledge base": "Sources and pages about one subject, which the agents that are named there may use.",
    "source (of knowledge)": "A document of a knowledge base, kept as it came.",
    "page (of knowledge)": "A Markdown text of a knowledge base, linked with others by `[[slug]]` and citing sources by `[n]`.",
    chunk: "A passage of a source that is searched and cited as one.",
    "curated page": "A page that people look after: agents read it and do not change it.",
    "stale page": "A page whose source or fact has changed since the page was written.",
  },
  endpoints: knowledgeEndpoints,
  permissions: { "knowledge:read": "See knowledge bases", "knowledge:write": "Change knowledge bases" },
  roles: { approver: ["knowledge:read"], viewer: ["knowledge:read"] },
  implies: { "knowledge:write": ["knowledge:read"] },
  audit: {
    "knowledge_base.created": "Knowledge base created",
    "knowledge_base.updated": "Knowledge base updated",
    "knowledge_base.removed": "Knowledge base removed",
    "knowledge_source.added": "Source added to a knowledge base",
    "knowledge_source.read": "Source of a knowledge base read",
    "knowledge_source.removed": "Source of a knowledge base removed",
    "knowledge_page.created": "Knowledge page created",
    "knowledge_page.updated": "Knowledge page updated",
    "knowledge_page.renamed": "Knowledge page renamed",
    "knowledge_page.archived": "Knowledge page archived",
    "knowledge_page.restored": "Knowledge page restored",
    "knowledge_page.removed": "Knowledge page removed",
  },
  navigation: { label: "Knowledge", path: "/knowledge", icon: "IconBooks", key: "q", group: "agents", after: "/schedules" },
});
