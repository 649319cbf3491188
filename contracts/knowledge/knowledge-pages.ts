import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, queryFlag, Timestamp } from "../common";
import { endpoint } from "../endpoint";
import { KnowledgePageType, lineOf } from "./knowledge-names";

export const knowledgeLayers = ["fact", "experience"] as const;
export const maxPageCharacters = 200_000;
export const slugPattern = /^[\p{Ll}\p{Lo}\p{Lm}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u;

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
  title: lineOf(200).min(1, "needs a title"),
  content: z.string().max(maxPageCharacters, "at most 200,000 characters").describe("Markdown with `[[slug]]` and `[n]`."),
  summary: lineOf(500).default("").describe("One line for agents and lists; the beginning of the content when empty."),
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

const params = z.object({ id: Id });
const versioned = z.object({ id: Id, version: z.coerce.number().int().min(1).max(2_147_483_647) });
const read = "knowledge:read";
const write = "knowledge:write";
const base = "/api/v1/knowledge-bases";
const page = "/api/v1/knowledge-pages";

/** Pages of knowledge bases. */
export const knowledgePageEndpoints = {
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
