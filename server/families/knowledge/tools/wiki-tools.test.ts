import { beforeEach, expect, test, vi } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { authorize } from "@/server/testing/builders";
import { builtinTools } from "@/server/testing/builtin-tools";
import { agentWrites, buildBase, callWikiTool } from "@/server/testing/knowledge/knowledge-stage";
import { giveModel, saying } from "@/server/testing/models/run-stage";
import { patienceMs } from "@/server/testing/patience";
import { useStage } from "@/server/testing/stage";
import { createPage } from "../pages/manage-pages";
import { createTransformation } from "../transformations/manage-transformations";

const stage = useStage();
const writer = () => authorize(stage.built.admin, "knowledge:write");
const page = { summary: "", type: "note", curated: false };
let baseId = "";

beforeEach(async () => {
  baseId = await buildBase(stage, { agents: agentWrites(stage), writerAgentId: stage.built.agent.id });
});

const call = (name: string, args: JsonObject) => callWikiTool(stage, name, args);

const choice = ["agentId", "kbName", "kbIdParam"];
test.each([
  ["wiki_list_kbs", ["agentId"], []],
  ["wiki_read_page", [...choice, "slug", "maxChars", "sectionHeading"], ["slug"]],
  ["wiki_read_many", [...choice, "slugs", "maxCharsPerPage"], ["slugs"]],
  ["wiki_list_pages", [...choice, "query"], []],
  ["wiki_search_pages", [...choice, "query", "mode", "topK", "layer"], ["query"]],
  ["wiki_semantic_search", [...choice, "query", "topK"], ["query"]],
  ["wiki_compile_page", [...choice, "topic", "slug", "maxEvidenceChunks"], ["topic"]],
  ["wiki_trace_source", [...choice, "slug"], ["slug"]],
  ["wiki_create_page", [...choice, "title", "content"], ["title", "content"]],
  ["wiki_update_page", [...choice, "slug", "content"], ["slug", "content"]],
  ["wiki_delete_page", [...choice, "slug"], ["slug"]],
  ["wiki_archive_page", [...choice, "slug"], ["slug"]],
  ["wiki_unarchive_page", [...choice, "slug"], ["slug"]],
  ["wiki_related_pages", [...choice, "slug", "topK"], ["slug"]],
  ["wiki_explain_relation", [...choice, "slugA", "slugB"], ["slugA", "slugB"]],
  ["wiki_enrich_page", [...choice, "slug"], ["slug"]],
  ["wiki_stale_pages", choice, []],
  ["wiki_list_transformations", choice, []],
  ["wiki_run_transformation", [...choice, "transformation", "source", "slug"], ["transformation"]],
  ["wiki_transformation_runs", [...choice, "transformation", "limit"], ["transformation"]],
  ["wiki_aggregate_transformation", [...choice, "transformation"], ["transformation"]],
] satisfies [string, string[], string[]][])("%s takes the parameters that models know", (tool, names, required) => {
  const schema = builtinTools.find(({ name }) => name === tool)?.inputSchema as { properties: object; required?: string[] };
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(names));
  expect([...(schema.required ?? [])].sort()).toEqual([...required].sort());
});

test.each([
  ["wiki_search_pages", { query: "x", topK: 21 }, "topK"],
  ["wiki_search_pages", { query: "x", mode: "guess" }, "mode"],
  ["wiki_compile_page", { topic: "x", maxEvidenceChunks: 21 }, "maxEvidenceChunks"],
  ["wiki_related_pages", { slug: "x", topK: 11 }, "topK"],
  ["wiki_read_many", { slugs: Array.from({ length: 11 }, (_, at) => `p${at}`) }, "slugs"],
] satisfies [string, JsonObject, string][])("%s refuses %j by the name of the parameter", async (tool, args, name) => {
  await expect(call(tool, args)).rejects.toThrow(name);
});

test("every mode of a search finds by words without a model, and a layer leaves the other out", async () => {
  await createPage(writer(), baseId, { ...page, title: "Trains", content: "Cheap at night.", layer: "fact" });
  await createPage(writer(), baseId, { ...page, title: "Lesson", content: "Night trains are cheap.", layer: "experience" });
  for (const mode of ["keyword", "semantic", "hybrid"]) {
    expect(await call("wiki_search_pages", { query: "cheap night", mode })).toMatchObject({ mode, matchCount: 2 });
  }
  expect(await call("wiki_search_pages", { query: "cheap night", layer: "experience" })).toMatchObject({
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
    const started = await call("wiki_run_transformation", { transformation, slug });
    expect(started).toEqual({ ok: true, runId: expect.any(String), state: "queued" });
    await vi.waitFor(async () => {
      expect(JSON.stringify(await call("wiki_transformation_runs", { transformation }))).not.toMatch(/"state":"(queued|running)"/);
    }, patienceMs);
    return started.runId;
  };
  await run("one");
  const second = await run("one");
  await run("two");
  expect(await call("wiki_transformation_runs", { transformation, limit: 2 })).toEqual({
    ...{ transformation, count: 2 },
    runs: [
      { runId: expect.any(String), state: "completed", output: "Other.", error: null, sourceId: null, pageId: two.id },
      { runId: second, state: "completed", output: "Second.", error: null, sourceId: null, pageId: one.id },
    ],
  });
  expect(await call("wiki_aggregate_transformation", { transformation })).toEqual({
    ...{ transformation, count: 2, shown: 2 },
    outputs: [
      { sourceId: null, pageId: two.id, output: "Other." },
      { sourceId: null, pageId: one.id, output: "Second." },
    ],
  });
});
