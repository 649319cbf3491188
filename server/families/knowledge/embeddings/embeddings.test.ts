import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import type { ProviderKind } from "@/contracts/models/models";
import { knowledgeBases, knowledgeEmbeddings, modelProviders } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { buildBase, unsharedBase } from "@/server/testing/knowledge/knowledge-stage";
import { type EmbeddingServer, startEmbeddingServer } from "@/server/testing/models/embedding-server";
import { patienceMs } from "@/server/testing/patience";
import { neverAborted, useStage } from "@/server/testing/stage";
import { findBase } from "../bases/base-rows";
import { bases, getBase } from "../manage-bases";
import { createPage, removePageOf, updatePage } from "../pages/manage-pages";
import { searchBase } from "../search/search";
import { addBytes, getSource, removeSourceOf } from "../sources/manage-sources";
import { embedBase, findLostEmbeddings } from "./embed-base";

const stage = useStage();
const writer = () => authorize(stage.built.admin, "knowledge:write");
const reader = () => authorize(stage.built.admin, "knowledge:read");
const page = { summary: "", type: "note", layer: "fact" as const, curated: true };
let server: EmbeddingServer;
beforeEach(async () => {
  server = await startEmbeddingServer();
});

/** Sets up a provider, and returns a model of it. */
async function newModel(kind: ProviderKind = "openai_compatible", model = "embed-small") {
  const baseUrl = kind === "google" ? server.googleUrl : server.openAiUrl;
  const [row] = await db()
    .insert(modelProviders)
    .values({ workspaceId: stage.built.workspace.id, name: `Lab ${kind} ${model}`, kind, baseUrl, position: 0 })
    .returning();
  if (!row) throw new Error("no provider");
  return { providerId: row.id, model };
}
const newBase = (embeddingModel: Awaited<ReturnType<typeof newModel>> | null) => buildBase(stage, { embeddingModel });
async function add(baseId: string, name: string, text: string): Promise<string> {
  const { id } = await addBytes(writer(), baseId, { name, kind: "upload", origin: null, bytes: Buffer.from(text) });
  await vi.waitFor(async () => expect((await getSource(reader(), id)).state).toBe("completed"), patienceMs);
  return id;
}
const embedded = (baseId: string, count: number) =>
  vi.waitFor(async () => expect(await getBase(reader(), baseId)).toMatchObject({ embedded: count, embeddable: count }), patienceMs);
const search = async (baseId: string, request: string) => searchBase(db(), await findBase(reader(), baseId), request, "all", 5);
const found = async (baseId: string, request: string) =>
  (await search(baseId, request)).items.map(({ title, matchedBy }) => [title, ...matchedBy].join(" "));

test("passages and pages are found by their meaning, each hit says by what, and joined ranks put both first", async () => {
  const baseId = await newBase(await newModel());
  await add(baseId, "garage.md", "The automobile was repaired on Monday.");
  await add(baseId, "clinic.md", "A physician sees patients.");
  await createPage(writer(), baseId, { ...page, title: "Dwellings", content: "Each building has a cellar." });
  await embedded(baseId, 3);
  expect(await found(baseId, "car")).toEqual(["garage.md meaning"]);
  expect(await found(baseId, "house")).toEqual(["Dwellings meaning"]);
  expect((await found(baseId, "automobile repaired"))[0]).toBe("garage.md words meaning");
  expect((await search(baseId, "car")).note).toBeNull();
});

test("without a model no request is made, nothing is stored and words rank", async () => {
  const model = await newModel();
  const baseId = await newBase(null);
  await add(baseId, "garage.md", "The automobile was repaired on Monday.");
  expect(await found(baseId, "car")).toEqual([]);
  expect(await found(baseId, "automobile")).toEqual(["garage.md words"]);
  expect([server.requests.length, await db().$count(knowledgeEmbeddings, eq(knowledgeEmbeddings.baseId, baseId))]).toEqual([0, 0]);
  expect(await getBase(reader(), baseId)).toMatchObject({ embedded: 0, embeddable: 0 });
  await bases.update({ actor: writer(), params: { id: baseId }, body: { ...unsharedBase, embeddingModel: model }, version: null });
  await embedded(baseId, 1);
  expect(await found(baseId, "car")).toEqual(["garage.md meaning"]);
});

test("an attempt that fails keeps what it stored, and a later one goes on behind it", async () => {
  const model = await newModel();
  const baseId = await newBase(null);
  const words = Array.from({ length: 150 }, (_, at) => `# Part ${at}\n\n${`The word${at} stands here. `.repeat(50)}`).join("\n\n");
  await add(baseId, "long.md", words);
  await db().update(knowledgeBases).set({ embeddingModel: model }).where(eq(knowledgeBases.id, baseId));
  const attempt = { number: 1, signal: neverAborted };
  const { embeddable } = await getBase(reader(), baseId);
  const answered = new AbortController();
  const stopping = vi.waitFor(() => {
    expect(server.requests.length).toBeGreaterThan(0);
    answered.abort(new Error("the process stops"));
  }, patienceMs);
  await expect(embedBase({ baseId }, { ...attempt, signal: answered.signal })).rejects.toThrow("the process stops");
  await stopping;
  const { embedded: kept } = await getBase(reader(), baseId);
  expect(kept).toBeLessThan(embeddable);
  await embedBase({ baseId }, attempt);
  expect(await getBase(reader(), baseId)).toMatchObject({ embedded: embeddable, embeddingFault: null });
  expect(server.requests.every(({ texts }) => texts.length <= 64)).toBe(true);
  const before = server.requests.length;
  await embedBase({ baseId }, attempt);
  expect(server.requests.length).toBe(before);
});

test("a model that does not answer leaves words, the search and the base say why, and the missing ones follow", async () => {
  const baseId = await newBase(await newModel());
  await add(baseId, "garage.md", "The automobile was repaired on Monday.");
  await embedded(baseId, 1);
  server.answerWith(401);
  expect(await search(baseId, "automobile")).toMatchObject({
    items: [{ title: "garage.md", matchedBy: ["words"] }],
    note: expect.stringMatching(/^Words alone were compared, because the meaning could not be: Lab .* refuses the key\./),
  });
  await add(baseId, "clinic.md", "A physician sees patients.");
  await vi.waitFor(async () => expect((await getBase(reader(), baseId)).embeddingFault).toContain("refuses the key"), patienceMs);
  server.answerWith(200);
  expect((await search(baseId, "automobile")).note).toContain("Some passages have no embedding");
  await db().update(knowledgeBases).set({ embeddedAt: sql`now() - interval '2 hours'` }).where(eq(knowledgeBases.id, baseId));
  await findLostEmbeddings();
  await embedded(baseId, 2);
  expect(await getBase(reader(), baseId)).toMatchObject({ embeddingFault: null });
});

test("a changed page is embedded anew, and removed pages and sources leave no vector", async () => {
  const baseId = await newBase(await newModel());
  const { id } = await createPage(writer(), baseId, { ...page, title: "One", content: "A car." });
  const sourceId = await add(baseId, "clinic.md", "A physician sees patients.");
  await embedded(baseId, 2);
  expect(await found(baseId, "vehicle")).toEqual(["One meaning"]);
  await updatePage(writer(), id, { ...page, title: "One", content: "A doctor." }, null);
  await embedded(baseId, 2);
  expect(await found(baseId, "physician")).toEqual(expect.arrayContaining(["One meaning", "clinic.md words meaning"]));
  await removePageOf(writer(), id, null);
  await removeSourceOf(writer(), sourceId);
  expect(await db().$count(knowledgeEmbeddings, eq(knowledgeEmbeddings.baseId, baseId))).toBe(0);
});

test("Gemini's protocol is spoken; another model asks for all embeddings anew; a provider without embeddings is refused", async () => {
  const baseId = await newBase(await newModel("google", "gemini-embedding-001"));
  await add(baseId, "garage.md", "The automobile was repaired on Monday.");
  await add(baseId, "clinic.md", "A physician sees patients.");
  await embedded(baseId, 2);
  expect((await found(baseId, "doctor"))[0]).toBe("clinic.md meaning");
  expect(server.requests.map(({ taskType }) => taskType)).toEqual(expect.arrayContaining(["RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"]));
  const update = (embeddingModel: Awaited<ReturnType<typeof newModel>>) =>
    bases.update({ actor: writer(), params: { id: baseId }, body: { ...unsharedBase, embeddingModel }, version: null });
  await update(await newModel("openai_compatible", "other"));
  await embedded(baseId, 2);
  expect(server.requests.filter(({ model }) => model === "other").flatMap(({ texts }) => texts)).toHaveLength(2);
  expect((await found(baseId, "doctor"))[0]).toBe("clinic.md meaning");
  await expect(newModel("anthropic").then(update)).rejects.toThrow("which offers no embeddings");
  await expect(update({ providerId: "00000000-0000-7000-8000-000000000000", model: "x" })).rejects.toThrow("does not exist");
});

test("a misspelt name finds its page", async () => {
  const baseId = await newBase(null);
  await createPage(writer(), baseId, { ...page, title: "Reimbursement", content: "Within a week." });
  await createPage(writer(), baseId, { ...page, title: "Holidays", content: "Thirty days." });
  expect(await found(baseId, "riembursement")).toEqual(["Reimbursement name"]);
  expect(await found(baseId, "unknown")).toEqual([]);
});
