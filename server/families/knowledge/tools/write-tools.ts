import { z } from "zod";
import { maxPageCharacters, slugPattern } from "@/contracts/knowledge/knowledge-pages";
import { agentModel } from "@/server/models/agent-model";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { type KnowledgeCapability, knowledge } from "../knowledge-capability";
import { toSlug } from "../pages/page-links";
import { needed, ofBase, requireOwn, slug, writesPages } from "./wiki-arguments";

const title = needed("title", 200).describe("The page's title");
const content = needed("content", maxPageCharacters).describe(
  "Markdown with [[slug]] links and [n] citations, each defined below as [n]: source, p. 3",
);

const slugOnly = ofBase({ slug });

export const wikiCreatePage = defineTool({
  name: "wiki_create_page",
  title: "Create a knowledge page",
  description: "Adds a page to a knowledge base. Links are [[slug]]; a citation [1] is defined by a line such as [1]: report.pdf, p. 12.",
  ...writesPages,
  primaryArgument: "title",
  input: ofBase({
    title,
    content,
    type: z
      .string()
      .trim()
      .regex(/^[a-z][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and hyphens")
      .default("note")
      .describe("Type of the page"),
    layer: z.enum(["fact", "experience"]).default("fact").describe("experience: what was learned from facts that it links"),
  }),
  async execute({ agentId, kbName, kbIdParam, ...draft }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { base, page } = await knowledge.create({ kbName, kbIdParam }, draft);
    return { ok: true, message: `Page created: ${page.slug}`, title: page.title, slug: page.slug, pageId: page.id, kbId: base.id };
  },
});

export const wikiUpdatePage = defineTool({
  name: "wiki_update_page",
  title: "Update a knowledge page",
  description: "Replaces the content of a page; the earlier content stays as a version. Pages that people look after refuse.",
  ...writesPages,
  primaryArgument: "slug",
  input: ofBase({
    slug,
    content,
    title: z.string().trim().min(1).max(200).optional().describe("Another title"),
  }),
  async execute({ agentId, slug, content, title, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const page = await knowledge.update(choice, slug, { content, ...(title ? { title } : {}) });
    return { ok: true, message: `Page updated: ${page.slug}`, title: page.title, slug: page.slug, version: page.version };
  },
});

export const wikiDeletePage = defineTool({
  name: "wiki_delete_page",
  title: "Delete a knowledge page",
  description: "Removes a page for good; links of other pages become words. Archiving keeps it.",
  ...writesPages,
  effect: "destroy",
  primaryArgument: "slug",
  input: slugOnly,
  async execute({ agentId, slug, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const page = await knowledge.remove(choice, slug);
    return { ok: true, slug: page.slug, title: page.title };
  },
});

async function setArchived({ agentId, slug, ...choice }: z.output<typeof slugOnly>, knowledge: KnowledgeCapability, archived: boolean) {
  await requireOwn(knowledge, agentId);
  const { page, changed } = await knowledge.archive(choice, slug, archived);
  const state = archived ? "archived" : "active";
  const message = changed ? `Page is ${state} now: ${page.slug}` : `Page was ${state} already: ${page.slug}`;
  return { ok: true, slug: page.slug, changed, message };
}

export const wikiArchivePage = defineTool({
  name: "wiki_archive_page",
  title: "Archive a knowledge page",
  description: "Takes a page out of lists and searches; it can be restored.",
  ...writesPages,
  primaryArgument: "slug",
  input: slugOnly,
  execute: (given, { knowledge }) => setArchived(given, knowledge, true),
});

export const wikiUnarchivePage = defineTool({
  name: "wiki_unarchive_page",
  title: "Restore a knowledge page",
  description: "Brings an archived page back to lists and searches.",
  ...writesPages,
  primaryArgument: "slug",
  input: slugOnly,
  execute: (given, { knowledge }) => setArchived(given, knowledge, false),
});

export const wikiEnrichPage = defineTool({
  name: "wiki_enrich_page",
  title: "Link a knowledge page",
  description: "Links the titles of other pages where a page names them, in the background.",
  ...writesPages,
  primaryArgument: "slug",
  input: slugOnly,
  async execute({ agentId, slug, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    return `Wikilink enrichment queued for: ${(await knowledge.enrich(choice, slug)).slug}`;
  },
});

export const wikiCompilePage = defineTool({
  name: "wiki_compile_page",
  title: "Compile a knowledge page",
  description: "Writes a page about a topic from passages of the sources by your model, with citations, or rewrites the page of that slug.",
  ...writesPages,
  needs: [knowledge, agentModel],
  primaryArgument: "topic",
  timeoutMs: 180_000,
  input: ofBase({
    topic: needed("topic", 200).describe("What the page is about"),
    slug: z
      .string()
      .trim()
      .toLowerCase()
      .max(100)
      .regex(slugPattern, "must be letters and digits joined by hyphens")
      .optional()
      .describe("Made of the topic when absent"),
    maxEvidenceChunks: z.int().min(1).max(20).default(8).describe("Passages that the page is written from"),
  }),
  async execute({ agentId, topic, slug = toSlug(topic), maxEvidenceChunks, ...choice }, { knowledge, model, signal }) {
    await requireOwn(knowledge, agentId);
    const { base, hits } = await knowledge.searchChunks(choice, topic, maxEvidenceChunks);
    const answer = { ok: true, compiled: false, evidenceChunks: hits.length, slug, title: topic, created: false };
    if (hits.length === 0) return { ...answer, reason: `No source says anything about: ${topic}` };
    if ((await model.missing()) !== null)
      return { ...answer, reason: "No model is set up that could write the page. Write it with wiki_create_page." };
    const compiled = await knowledge.compile(base, { topic, slug, evidence: hits }, { model, signal });
    if (!compiled) throw new AppError("forbidden", `Cannot update manually curated page: ${slug}`);
    const { page, created } = compiled;
    return { ...answer, compiled: true, reason: null, slug: page.slug, title: page.title, created };
  },
});
