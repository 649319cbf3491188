import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, queryFlag, Timestamp } from "./common";
import { defineContract } from "./define-contract";
import { endpoint } from "./endpoint";

export const knowledgeModes = ["lazy", "eager"] as const;
export const knowledgeSourceKinds = ["upload", "text", "url", "archive", "folder"] as const;
export const knowledgeSourceStates = ["pending", "processing", "completed", "partial", "failed"] as const;
export const knowledgeLayers = ["fact", "experience"] as const;
export const knowledgeAccess = ["read", "write"] as const;

/** Bytes of one source, and of one archive of sources. */
export const maxSourceBytes = 67_108_864;
export const maxPageCharacters = 200_000;
export const slugPattern = /^[\p{Ll}\p{Lo}\p{Lm}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u;

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `at most ${most} characters`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what the field must not hold
    .regex(/^[^\u0000-\u001f\u007f]*$/, "must not hold line ends or other control characters");
export const KnowledgeName = line(100).min(1, "needs a name");
export const KnowledgePageType = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and hyphens, at most 40, beginning with a letter");

export const KnowledgeAgent = z.strictObject({
  agentId: Id,
  access: z.enum(knowledgeAccess).default("read").describe("`write` includes reading."),
  pageTypes: z.array(KnowledgePageType).max(50).default([]).describe("Types of pages that the agent may write; empty for all."),
});
export type KnowledgeAgent = z.infer<typeof KnowledgeAgent>;

const baseMembers = {
  name: KnowledgeName,
  description: line(500).default("").describe("Tells agents what the base knows."),
  mode: z
    .enum(knowledgeModes)
    .default("lazy")
    .describe("`lazy` reads sources; `eager` also writes pages about them by the writer's model."),
  agents: z.array(KnowledgeAgent).max(200).default([]).describe("Agents that may use the base."),
  writerAgentId: Id.nullable().default(null).describe("The agent whose models write pages and run transformations."),
  watchedFolder: line(1_000)
    .nullable()
    .default(null)
    .describe("Absolute path of a folder of Handrail's machine whose files are sources; only an owner sets it."),
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

export const KnowledgeSource = z
  .object({
    id: Id,
    baseId: Id,
    name: z.string(),
    kind: z.enum(knowledgeSourceKinds),
    origin: z.string().nullable().describe("URL or path of the machine from which the source came."),
    mediaType: z.string(),
    bytes: z.number().int(),
    sha256: z.string(),
    state: z.enum(knowledgeSourceStates),
    reason: z.string().nullable().describe("Why the source failed, or what its text lacks."),
    pagesRead: z.number().int().nullable(),
    pageCount: z.number().int().nullable().describe("Null for a document without pages."),
    partCount: z.number().int().describe("Places of the text that can be opened: pages, or stretches of a document without pages."),
    chunkCount: z.number().int(),
    characters: z.number().int(),
    revision: z.number().int(),
    addedBy: ActorRef,
    readAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "KnowledgeSource" });
export type KnowledgeSource = z.infer<typeof KnowledgeSource>;

/** `unchanged`: the base has these bytes under this name already, so they are not read again. */
export const AddedSource = KnowledgeSource.extend({ unchanged: z.boolean() }).meta({ id: "AddedSource" });
export type AddedSource = z.infer<typeof AddedSource>;

export const KnowledgePart = z
  .object({ number: z.number().int(), page: z.number().int().nullable(), text: z.string(), source: KnowledgeSource })
  .meta({ id: "KnowledgePart" });
export type KnowledgePart = z.infer<typeof KnowledgePart>;

export const KnowledgePage = z
  .object({
    id: Id,
    baseId: Id,
    slug: z.string(),
    aliases: z.array(z.string()).describe("Slugs that the page had; links by them still lead here."),
    type: z.string(),
    layer: z.enum(knowledgeLayers),
    title: z.string(),
    summary: z.string(),
    curated: z.boolean().describe("Agents do not change the page."),
    isSystem: z.boolean(),
    archived: z.boolean(),
    staleReason: z.string().nullable(),
    brokenLinks: z.number().int(),
    version: z.number().int(),
    lastUpdatedBy: ActorRef,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "KnowledgePage" });
export type KnowledgePage = z.infer<typeof KnowledgePage>;

export const KnowledgeCitation = z.object({
  number: z.number().int(),
  name: z.string().describe("The source as the page names it."),
  sourceId: Id.nullable().describe("Null for a source that is not in the base."),
  part: z.number().int().nullable(),
  page: z.number().int().nullable(),
});
export type KnowledgeCitation = z.infer<typeof KnowledgeCitation>;

const LinkedPage = z.object({ id: Id, slug: z.string(), title: z.string() });

export const KnowledgePageContent = KnowledgePage.extend({
  content: z.string(),
  links: z.array(z.object({ slug: z.string(), page: LinkedPage.nullable() })).describe("Links of the page; a broken one has no page."),
  backlinks: z.array(LinkedPage).describe("Pages that link here."),
  citations: z.array(KnowledgeCitation),
}).meta({ id: "KnowledgePageContent" });
export type KnowledgePageContent = z.infer<typeof KnowledgePageContent>;

export const KnowledgePageVersion = z
  .object({ version: z.number().int(), title: z.string(), content: z.string(), author: ActorRef, createdAt: Timestamp })
  .meta({ id: "KnowledgePageVersion" });
export type KnowledgePageVersion = z.infer<typeof KnowledgePageVersion>;

const slug = z
  .string()
  .trim()
  .toLowerCase()
  .max(100, "at most 100 characters")
  .regex(slugPattern, "must be letters and digits in lower case, joined by single hyphens");
const pageMembers = {
  title: line(200).min(1, "needs a title"),
  content: z.string().max(maxPageCharacters, "at most 200,000 characters").describe("Markdown with `[[slug]]` and `[n]`."),
  summary: line(500).default("").describe("One line for agents and lists; the beginning of the content when empty."),
  type: KnowledgePageType.default("note"),
  layer: z.enum(knowledgeLayers).default("fact").describe("An experience becomes stale when a fact that it links to changes."),
  curated: z.boolean().default(true).describe("Agents do not change the page."),
};

export const KnowledgePageDraft = z
  .strictObject({ ...pageMembers, slug: slug.optional().describe("Made of the title when absent.") })
  .meta({ examples: [{ title: "Travel costs", content: "Trains are booked by [[the-office]]." }] });
export type KnowledgePageDraft = z.infer<typeof KnowledgePageDraft>;

export const KnowledgePagePatch = z
  .strictObject(pageMembers)
  .meta({ examples: [{ title: "Travel costs", content: "Trains are booked by [[the-office]]." }] });
export type KnowledgePagePatch = z.infer<typeof KnowledgePagePatch>;

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
const versioned = z.object({ id: Id, version: z.coerce.number().int().min(1).max(2_147_483_647) });
const numbered = z.object({ id: Id, number: z.coerce.number().int().min(1).max(2_147_483_647) });
const read = "knowledge:read";
const write = "knowledge:write";
const base = "/api/v1/knowledge-bases";
const source = "/api/v1/knowledge-sources";
const page = "/api/v1/knowledge-pages";
const sourceName = line(300).min(1, "needs a name");

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
    response: z.object({ items: z.array(KnowledgeHit) }),
  }),
  graph: endpoint({
    method: "GET",
    path: `${base}/{id}/graph`,
    summary: "Pages and their links, at most 5,000 pages",
    permission: read,
    params,
    response: KnowledgeGraph,
  }),
  listSources: endpoint({
    method: "GET",
    path: `${base}/{id}/sources`,
    summary: "Sources of a base, by name",
    permission: read,
    params,
    query: z.object({ state: z.enum(knowledgeSourceStates).optional(), ...pageQuery }),
    response: listOf(KnowledgeSource),
  }),
  addSource: endpoint({
    method: "POST",
    path: `${base}/{id}/sources`,
    summary:
      "Add the request's bytes as a source, at most 64 MiB; a ZIP adds each of its files. The same name replaces, the same bytes do nothing",
    permission: write,
    params,
    query: z.object({ name: sourceName.default("file") }),
    requestType: "application/octet-stream",
    response: AddedSource,
    status: 201,
  }),
  addText: endpoint({
    method: "POST",
    path: `${base}/{id}/texts`,
    summary: "Add a pasted text as a source",
    permission: write,
    params,
    maxBodyBytes: 4_194_304,
    body: z
      .strictObject({ name: sourceName, text: z.string().min(1, "needs a text").max(500_000, "at most 500,000 characters") })
      .meta({ examples: [{ name: "notes.md", text: "# Notes" }] }),
    response: AddedSource,
    status: 201,
  }),
  addLink: endpoint({
    method: "POST",
    path: `${base}/{id}/links`,
    summary: "Fetch a public address and add what it answers as a source",
    permission: write,
    params,
    body: z
      .strictObject({ url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(2_000) })
      .meta({ examples: [{ url: "https://example.com/guide.html" }] }),
    response: AddedSource,
    status: 201,
  }),
  getSource: endpoint({
    method: "GET",
    path: `${source}/{id}`,
    summary: "One source with its progress",
    permission: read,
    params,
    response: KnowledgeSource,
  }),
  getPart: endpoint({
    method: "GET",
    path: `${source}/{id}/parts/{number}`,
    summary: "The text of one page of a source, or of one stretch of a source without pages",
    permission: read,
    params: numbered,
    response: KnowledgePart,
  }),
  getFile: endpoint({
    method: "GET",
    path: `${source}/{id}/file`,
    summary: "The bytes of a source as they came, as an attachment",
    permission: read,
    params,
    responseType: "application/octet-stream",
  }),
  getPicture: endpoint({
    method: "GET",
    path: `${source}/{id}/parts/{number}/picture`,
    summary: "A page of a PDF as a picture",
    permission: read,
    params: numbered,
    responseType: "image/png",
  }),
  readAgain: endpoint({
    method: "POST",
    path: `${source}/{id}/read`,
    summary: "Read a source again, such as one that failed",
    permission: write,
    params,
    response: KnowledgeSource,
  }),
  removeSource: endpoint({
    method: "DELETE",
    path: `${source}/{id}`,
    summary: "Remove a source with its text; pages that cite it become stale",
    permission: write,
    params,
    response: Empty,
  }),
  listPages: endpoint({
    method: "GET",
    path: `${base}/{id}/pages`,
    summary: "Pages of a base by title, without `overview` and `log`",
    permission: read,
    params,
    query: z.object({
      slug: z.string().max(100).optional().describe("Only the page of this slug, also `overview` or `log`."),
      archived: queryFlag.optional().describe("Archived pages in place of the others."),
      stale: queryFlag.optional().describe("Only pages that may be outdated."),
      broken: queryFlag.optional().describe("Only pages with broken links."),
      ...pageQuery,
    }),
    response: listOf(KnowledgePage),
  }),
  createPage: endpoint({
    method: "POST",
    path: `${base}/{id}/pages`,
    summary: "Add a page",
    permission: write,
    params,
    body: KnowledgePageDraft,
    response: KnowledgePageContent,
    status: 201,
  }),
  getPage: endpoint({
    method: "GET",
    path: `${page}/{id}`,
    summary: "One page with its content, links, backlinks and citations",
    permission: read,
    params,
    response: KnowledgePageContent,
  }),
  updatePage: endpoint({
    method: "PUT",
    path: `${page}/{id}`,
    summary: "Replace a page; the earlier content stays as a version",
    headers: ["If-Match"],
    permission: write,
    params,
    body: KnowledgePagePatch,
    response: KnowledgePageContent,
  }),
  renamePage: endpoint({
    method: "POST",
    path: `${page}/{id}/rename`,
    summary: "Give a page another slug; links of other pages are rewritten, and the old slug still leads here",
    headers: ["If-Match"],
    permission: write,
    params,
    body: z.strictObject({ slug }).meta({ examples: [{ slug: "costs-of-travel" }] }),
    response: KnowledgePageContent,
  }),
  archivePage: endpoint({
    method: "POST",
    path: `${page}/{id}/archive`,
    summary: "Take a page out of lists and searches",
    permission: write,
    params,
    response: KnowledgePageContent,
  }),
  restorePage: endpoint({
    method: "POST",
    path: `${page}/{id}/restore`,
    summary: "Bring an archived page back",
    permission: write,
    params,
    response: KnowledgePageContent,
  }),
  removePage: endpoint({
    method: "DELETE",
    path: `${page}/{id}`,
    summary: "Remove a page with its versions; links of other pages become words",
    headers: ["If-Match"],
    permission: write,
    params,
    response: Empty,
  }),
  listPageVersions: endpoint({
    method: "GET",
    path: `${page}/{id}/versions`,
    summary: "The last 100 contents of a page with their authors, newest first",
    permission: read,
    params,
    response: z.object({ items: z.array(KnowledgePageVersion) }),
  }),
  restorePageVersion: endpoint({
    method: "POST",
    path: `${page}/{id}/versions/{version}/restore`,
    summary: "Make an earlier content of a page the newest",
    headers: ["If-Match"],
    permission: write,
    params: versioned,
    response: KnowledgePageContent,
  }),
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
