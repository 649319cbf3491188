import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { ProviderKind } from "@/contracts/models/models";
import { memoryEmbeddings, memoryEntries, modelProviders } from "@/db/schema";
import type { CallScope } from "@/server/capabilities/define-capability";
import { readConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize } from "@/server/testing/builders";
import { type EmbeddingServer, startEmbeddingServer } from "@/server/testing/models/embedding-server";
import { runTool } from "@/server/testing/run-tool";
import { useStage } from "@/server/testing/stage";
import type { AnyTool } from "@/server/tools/define-tool";
import { forget } from "./forget";
import { memoryForgetting } from "./forget-person";
import { createFile } from "./manage-memory";
import { searchMemory as findMemory, showSettings, updateSettings } from "./manage-upkeep";
import { memory } from "./memory-capability";
import { rememberFact } from "./tools/fact-tools";
import { memorySearch, memoryWrite } from "./tools/file-tools";
import { memoryRecall, searchMemory } from "./tools/recall-tools";
import { forgetStructured, rememberStructured } from "./tools/remember-tools";

const stage = useStage();
const writer = () => authorize(stage.built.admin, "memory:write");
const reader = () => authorize(stage.built.admin, "memory:read");
const call = async (tool: AnyTool, args: JsonObject) => {
  const scope = { conversationId: stage.conversationId, workspaceId: stage.built.workspace.id } as unknown as CallScope;
  return (await runTool(tool, args, { memory: memory.create(scope) })) as JsonObject & { results: { source: string }[] };
};
const sourcesOf = async (args: JsonObject) => (await call(searchMemory, args)).results.map(({ source }) => source);
const stored = () => db().$count(memoryEmbeddings, eq(memoryEmbeddings.workspaceId, stage.built.workspace.id));

let server: EmbeddingServer;
let agentId = "";
beforeEach(async () => {
  server = await startEmbeddingServer();
  agentId = (await readConversation(stage.conversationId))?.agentId ?? "";
});

async function newModel(kind: ProviderKind = "openai_compatible") {
  const [row] = await db()
    .insert(modelProviders)
    .values({ workspaceId: stage.built.workspace.id, name: `Lab ${kind}`, kind, baseUrl: server.openAiUrl, position: 0 })
    .returning();
  if (!row) throw new Error("no provider");
  return { providerId: row.id, model: "embed-small" };
}
const choose = (embeddingModel: Awaited<ReturnType<typeof newModel>> | null) =>
  updateSettings(writer(), agentId, { extraction: false, consolidation: false, embeddingModel }, null);

describe("with a model for embeddings", () => {
  beforeEach(async () => {
    await choose(await newModel());
    await call(memoryWrite, { filename: "notes/garage.md", content: "# Garage\n\nThe automobile was repaired on Monday." });
    await call(rememberStructured, { type: "user", key: "health", content: "Sees a physician each May" });
    await call(rememberFact, { subject: "Home", statement: "The dwelling has a cellar" });
  });

  test("files, entries and facts are found by their meaning, and a hit says what found it", async () => {
    expect(await sourcesOf({ query: "car" })).toEqual(["notes/garage.md:3"]);
    expect(await sourcesOf({ query: "doctor", mode: "semantic" })).toEqual(["user/health"]);
    expect(await sourcesOf({ query: "house", mode: "hybrid" })).toEqual(["Home"]);
    expect(await sourcesOf({ query: "house", mode: "fts" })).toEqual([]);
    expect(await call(searchMemory, { query: "car" })).toMatchObject({ mode: "hybrid", count: 1 });
    expect(await call(memoryRecall, { query: "car" })).toContain("The automobile was repaired");
    expect(await call(memorySearch, { query: "car" })).toMatchObject({
      totalHits: 1,
      hits: [{ filename: "notes/garage.md", lineNumber: 3 }],
    });
    const { items, note } = await findMemory(reader(), agentId, { query: "automobile repaired", limit: 5 });
    expect(items).toMatchObject([{ source: "notes/garage.md:3", matchedBy: ["words", "meaning"] }]);
    expect(note).toBeNull();
  });

  test("a text is embedded once, and loses its embedding when it leaves the memory", async () => {
    await call(searchMemory, { query: "car" });
    expect(await stored()).toBe(3);
    const passages = () => server.requests.flatMap(({ texts }) => texts).filter((text) => text.includes("physician")).length;
    expect(passages()).toBe(1);
    await call(searchMemory, { query: "doctor" });
    expect(passages()).toBe(1);
    await call(memoryWrite, { filename: "notes/garage.md", content: "Empty now" });
    expect(await stored()).toBe(2);
    await call(forgetStructured, { type: "user", key: "health" });
    expect(await stored()).toBe(1);
    await forget(writer(), agentId, { text: "cellar", ownerKey: null, apply: true });
    expect(await stored()).toBe(0);
  });

  test("an erasure leaves no embedding, although the entries of the person went before", async () => {
    await call(searchMemory, { query: "car" });
    await db().delete(memoryEntries).where(eq(memoryEntries.workspaceId, stage.built.workspace.id));
    const none = { conversations: sql`select null::uuid where false`, rows: sql`select null::text where false` };
    const by = { type: "user" as const, id: stage.built.admin.id, name: "Ada" };
    const person = { workspaceId: stage.built.workspace.id, kind: "contact" as const, id: newId() };
    await db().transaction((tx) => memoryForgetting.forget(tx, { ...person, ...none, erasureId: newId(), by }));
    expect(await stored()).toBe(0);
  });

  test("a model that does not answer leaves the words, and the answer says why", async () => {
    server.answerWith(401);
    expect(await call(searchMemory, { query: "automobile" })).toMatchObject({
      count: 1,
      results: [{ source: "notes/garage.md:3" }],
      note: expect.stringMatching(/^Words alone were compared, because the meaning could not be: Lab .* refuses the key\./),
    });
    await expect(call(searchMemory, { query: "automobile", mode: "semantic" })).rejects.toThrow("refuses the key");
    expect(await call(memorySearch, { query: "automobile" })).toMatchObject({ totalHits: 1 });
  });

  test("the meaning crosses no owner", async () => {
    const personal = { agentId, filename: "secret.md", scope: "PERSONAL" as const, ownerKey: "user:1", enabled: false };
    await createFile(writer(), { ...personal, content: "The vehicle of another person" });
    expect(await sourcesOf({ query: "car" })).toEqual(["notes/garage.md:3"]);
  });
});

test("a provider without embeddings is refused, a model is taken away again, and other settings leave it as it is", async () => {
  await expect(newModel("anthropic").then(choose)).rejects.toThrow("which offers no embeddings");
  await expect(choose({ providerId: "00000000-0000-7000-8000-000000000000", model: "x" })).rejects.toThrow("does not exist");
  const model = await newModel();
  await choose(model);
  await updateSettings(writer(), agentId, { extraction: true, consolidation: false }, null);
  expect(await showSettings(reader(), agentId)).toMatchObject({ extraction: true, embeddingModel: model });
  await choose(null);
  expect((await showSettings(reader(), agentId)).embeddingModel).toBeNull();
  expect(server.requests).toEqual([]);
});
