import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { fenced, needed, ofBase, readsPages, requireOwn, writesPages } from "./wiki-arguments";

const transformation = needed("transformation", 100).describe("Its name");
const origin = "a transformation of sources";
const aggregatedCharacters = 60_000;

export const wikiListTransformations = defineTool({
  name: "wiki_list_transformations",
  title: "List transformations",
  description: "Lists the transformations of a knowledge base: prompts that make another text of a source or a page.",
  ...readsPages,
  input: ofBase({}),
  async execute({ agentId, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { base, transformations } = await knowledge.transformations(choice);
    const listed = transformations.map(({ name, format, appliesToNew, pageType }) => ({ name, format, appliesToNew, pageType }));
    return { kbId: base.id, count: listed.length, transformations: listed };
  },
});

export const wikiRunTransformation = defineTool({
  name: "wiki_run_transformation",
  title: "Run a transformation",
  description: "Runs a transformation on a source or a page, in the background. wiki_transformation_runs has the result.",
  ...writesPages,
  primaryArgument: "transformation",
  input: ofBase({
    transformation,
    source: z.string().trim().max(300).optional().describe("Name of the source"),
    slug: z.string().trim().max(200).optional().describe("Slug of the page, in place of a source"),
  }),
  async execute({ agentId, transformation, source, slug, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    if (!source === !slug) throw new AppError("invalid", "source or slug is required, and not both");
    const run = await knowledge.transform(choice, transformation, { source, slug });
    return { ok: true, runId: run.id, state: run.state };
  },
});

export const wikiTransformationRuns = defineTool({
  name: "wiki_transformation_runs",
  title: "Runs of a transformation",
  description: "Returns the last runs of a transformation with their outputs, newest first.",
  ...readsPages,
  primaryArgument: "transformation",
  input: ofBase({
    transformation,
    limit: z.int().min(1).max(20).default(5).describe("Runs in the answer"),
  }),
  async execute({ agentId, transformation, limit, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { runs } = await knowledge.runs(choice, transformation, limit);
    const listed = runs.map(({ id, state, output, error, sourceId, pageId }) => ({ runId: id, state, output, error, sourceId, pageId }));
    return fenced({ transformation, count: listed.length, runs: listed }, origin);
  },
});

export const wikiAggregateTransformation = defineTool({
  name: "wiki_aggregate_transformation",
  title: "Aggregate a transformation",
  description: "Returns the newest output of a transformation for each source and page together.",
  ...readsPages,
  primaryArgument: "transformation",
  input: ofBase({ transformation }),
  async execute({ agentId, transformation, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { runs } = await knowledge.runs(choice, transformation, 500);
    const newest = [
      ...Map.groupBy(
        runs.filter(({ state }) => state === "completed"),
        ({ sourceId, pageId }) => sourceId ?? pageId,
      ).values(),
    ].flatMap((group) => group[0] ?? []);
    const shown: { sourceId: string | null; pageId: string | null; output: string }[] = [];
    let left = aggregatedCharacters;
    for (const { sourceId, pageId, output } of newest) {
      if (output === null || output.length > left) continue;
      left -= output.length;
      shown.push({ sourceId, pageId, output });
    }
    return fenced({ transformation, count: newest.length, shown: shown.length, outputs: shown }, origin);
  },
});
