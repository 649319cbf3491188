import { beforeEach, expect, test, vi } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { CallScope } from "@/server/capabilities/define-capability";
import { authorize } from "@/server/testing/builders";
import { giveModel, saying } from "@/server/testing/models/run-stage";
import { patienceMs } from "@/server/testing/patience";
import { runTool } from "@/server/testing/run-tool";
import { useStage } from "@/server/testing/stage";
import { type AnyTool, isRichResult } from "@/server/tools/define-tool";
import { knowledge } from "../knowledge-capability";
import { createBase } from "../manage-bases";
import { createPage } from "../pages/manage-pages";
import { createTransformation } from "../transformations/manage-transformations";
import {
  wikiExplainRelation,
  wikiListKbs,
  wikiListPages,
  wikiReadMany,
  wikiReadPage,
  wikiRelatedPages,
  wikiStalePages,
  wikiTraceSource,
} from "./read-tools";
import { wikiSearchPages, wikiSemanticSearch } from "./search-tools";
import {
  wikiAggregateTransformation,
  wikiListTransformations,
  wikiRunTransformation,
  wikiTransformationRuns,
} from "./transformation-tools";
import {
  wikiArchivePage,
  wikiCompilePage,
  wikiCreatePage,
  wikiDeletePage,
  wikiEnrichPage,
  wikiUnarchivePage,
  wikiUpdatePage,
} from "./write-tools";

const stage = useStage();
const writer = () => authorize(stage.built.admin, "knowledge:write");
const page = { summary: "", type: "note", curated: false };
let baseId = "";

beforeEach(async () => {
  const settings = { name: "Handbook", description: "", mode: "lazy" as const, watchedFolder: null, embeddingModel: null };
  const agents = [{ agentId: stage.built.agent.id, access: "write" as const, pageTypes: [] }];
  baseId = (await createBase(writer(), { ...settings, agents, writerAgentId: stage.built.agent.id })).id;
});

async function call(tool: AnyTool, args: JsonObject): Promise<JsonObject> {
  const scope = { conversationId: stage.conversationId, workspaceId: stage.built.workspace.id } as unknown as CallScope;
  const result = await runTool(tool, args, { knowledge: knowledge.create(scope) });
  return (isRichResult(result) ? result.structuredContent : result) as JsonObject;
}

const choice = ["agentId", "kbName", "kbIdParam"];
test.each([
  [wikiListKbs, ["agentId"], []],
  [wikiReadPage, [...choice, "slug", "maxChars", "sectionHeading"], ["slug"]],
  [wikiReadMany, [...choice, "slugs", "maxCharsPerPage"], ["slugs"]],
  [wikiListPages, [...choice, "query"], []],
  [wikiSearchPages, [...choice, "query", "mode", "topK", "layer"], ["query"]],
  [wikiSemanticSearch, [...choice, "query", "topK"], ["query"]],
  [wikiCompilePage, [...choice, "topic", "slug", "maxEvidenceChunks"], ["topic"]],
  [wikiTraceSource, [...choice, "slug"], ["slug"]],
  [wikiCreatePage, [...choice, "title", "content"], ["title", "content"]],
  [wikiUpdatePage, [...choice, "slug", "content"], ["slug", "content"]],
  [wikiDeletePage, [...choice, "slug"], ["slug"]],
  [wikiArchivePage, [...choice, "slug"], ["slug"]],
  [wikiUnarchivePage, [...choice, "slug"], ["slug"]],
  [wikiRelatedPages, [...choice, "slug", "topK"], ["slug"]],
  [wikiExplainRelation, [...choice, "slugA", "slugB"], ["slugA", "slugB"]],
  [wikiEnrichPage, [...choice, "slug"], ["slug"]],
  [wikiStalePages, choice, []],
  [wikiListTransformations, choice, []],
  [wikiRunTransformation, [...choice, "transformation", "source", "slug"], ["transformation"]],
  [wikiTransformationRuns, [...choice, "transformation", "limit"], ["transformation"]],
  [wikiAggregateTransformation, [...choice, "transformation"], ["transformation"]],
] satisfies [AnyTool, string[], string[]][])("%o takes the parameters that models know", (tool, names, required) => {
  const schema = tool.inputSchema as { properties: object; required?: string[] };
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(names));
  expect([...(schema.required ?? [])].sort()).toEqual([...required].sort());
});

test.each([
  [wikiSearchPages, { query: "x", topK: 21 }, "topK"],
  [wikiSearchPages, { query: "x", mode: "guess" }, "mode"],
  [wikiCompilePage, { topic: "x", maxEvidenceChunks: 21 }, "maxEvidenceChunks"],
  [wikiRelatedPages, { slug: "x", topK: 11 }, "topK"],
  [wikiReadMany, { slugs: Array.from({ length: 11 }, (_, at) => `p${at}`) }, "slugs"],
] satisfies [AnyTool, JsonObject, string][])("%o refuses %j by the name of the parameter", async (tool, args, name) => {
  await expect(call(tool, args)).rejects.toThrow(name);
});

test("every mode of a search finds by words without a model, and a layer leaves the other out", async () => {
  await createPage(writer(), baseId, { ...page, title: "Trains", content: "Cheap at night.", layer: "fact" });
  await createPage(writer(), baseId, { ...page, title: "Lesson", content: "Night trains are cheap.", layer: "experience" });
  for (const mode of ["keyword", "semantic", "hybrid"]) {
    expect(await call(wikiSearchPages, { query: "cheap night", mode })).toMatchObject({ mode, matchCount: 2 });
  }
  expect(await call(wikiSearchPages, { query: "cheap night", layer: "experience" })).toMatchObject({
    matchCount: 1,
    pages: [{ slug: "lesson", matchedBy: "words" }],
  });
});

test("a transformation that an agent runs is listed with its output, and the newest outputs of all subjects are given together", async () => {
  await giveModel(stage, [saying("First."), saying("Second."), saying("Other.")]);
  const transformation = "Summary";
  const settings = { format: "markdown" as const, schema: null, appliesToNew: false, pageType: null };
  await createTransformation(writer(), baseId, { ...settings, name: transformation, prompt: "Short: {input_text}" });
  const one = await createPage(writer(), baseId, { ...page, title: "One", content: "1", layer: "fact" });
  const two = await createPage(writer(), baseId, { ...page, title: "Two", content: "2", layer: "fact" });
  const run = async (slug: string) => {
    const started = await call(wikiRunTransformation, { transformation, slug });
    expect(started).toEqual({ ok: true, runId: expect.any(String), state: "queued" });
    await vi.waitFor(async () => {
      expect(JSON.stringify(await call(wikiTransformationRuns, { transformation }))).not.toMatch(/"state":"(queued|running)"/);
    }, patienceMs);
    return started.runId;
  };
  await run("one");
  const second = await run("one");
  await run("two");
  expect(await call(wikiTransformationRuns, { transformation, limit: 2 })).toEqual({
    ...{ transformation, count: 2 },
    runs: [
      { runId: expect.any(String), state: "completed", output: "Other.", error: null, sourceId: null, pageId: two.id },
      { runId: second, state: "completed", output: "Second.", error: null, sourceId: null, pageId: one.id },
    ],
  });
  expect(await call(wikiAggregateTransformation, { transformation })).toEqual({
    ...{ transformation, count: 2, shown: 2 },
    outputs: [
      { sourceId: null, pageId: two.id, output: "Other." },
      { sourceId: null, pageId: one.id, output: "Second." },
    ],
  });
});
