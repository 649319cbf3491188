import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { ModelProviderDraft } from "@/contracts/models/models";
import { auditEvents, modelProviders } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { startModelServer } from "@/server/testing/models/model-protocol-server";
import { httpApi } from "@/server/testing/services/http-api";
import { useTestDatabase } from "@/server/testing/test-database";
import { createProvider, orderProviders, removeProvider, updateProvider } from "./change-providers";
import { costOf, fallbackChain, findPrice } from "./fallback-chain";
import { findLocalServers, usualServers } from "./find-local-servers";
import { listDraftModels, listModelsOf } from "./list-offered-models";
import { getProvider, listProviders } from "./list-providers";
import { testDraft, testProvider } from "./test-provider";

useTestDatabase();

const key = "sk-a-key-that-nobody-sees-1234";
const writer = ({ admin }: BuiltWorkspace) => authorize(admin, "models:write");
const reader = ({ viewer }: BuiltWorkspace) => authorize(viewer, "models:read");
const neverAborted = new AbortController().signal;
const draftOf = (values: object = {}) =>
  ModelProviderDraft.parse({
    name: "OpenAI",
    kind: "openai_compatible",
    baseUrl: "https://api.openai.com/v1",
    key,
    models: [{ name: "gpt-5-mini", inputPrice: 2, cachedInputPrice: 0.5, outputPrice: 8 }, { name: "gpt-5" }],
    ...values,
  });

test("a key is sealed, masked and in no audit row, and every change is audited", async () => {
  const built = await buildWorkspace();
  const provider = await createProvider(writer(built), draftOf());
  expect(provider).toMatchObject({ maskedKey: "••••1234", position: 0, enabled: true, version: 1 });
  const renamed = await updateProvider(writer(built), provider.id, draftOf({ name: "Renamed", key: undefined }), 1);
  expect(renamed).toMatchObject({ name: "Renamed", maskedKey: "••••1234", version: 2 });
  expect(await updateProvider(writer(built), provider.id, draftOf({ key: null }), 2)).toMatchObject({ maskedKey: null });
  await updateProvider(writer(built), provider.id, draftOf({ key: "short" }), null);
  expect(await getProvider(reader(built), provider.id)).toMatchObject({ maskedKey: "••••" });
  const stored = await db().select().from(modelProviders).where(eq(modelProviders.id, provider.id));
  await removeProvider(writer(built), provider.id, null);
  const audited = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, built.workspace.id)).orderBy(auditEvents.id);
  expect(audited.map(({ event }) => event)).toEqual([
    "model_provider.created",
    "model_provider.updated",
    "model_provider.updated",
    "model_provider.updated",
    "model_provider.removed",
  ]);
  expect(JSON.stringify([provider, stored, audited])).not.toContain(key);
});

test("a stored key goes to its own origin only", async () => {
  const built = await buildWorkspace();
  const { id } = await createProvider(writer(built), draftOf());
  const elsewhere = "https://attacker.example/v1";
  const refusal = { code: "invalid", details: { errors: [{ path: "key", message: expect.stringContaining("https://api.openai.com") }] } };
  await expect(updateProvider(writer(built), id, draftOf({ baseUrl: elsewhere, key: undefined }), null)).rejects.toMatchObject(refusal);
  const draft = { kind: "openai_compatible", baseUrl: elsewhere, providerId: id } as const;
  await expect(listDraftModels(writer(built), draft, neverAborted)).rejects.toMatchObject(refusal);
  await expect(testDraft(writer(built), { ...draft, model: "gpt-5" }, neverAborted)).rejects.toMatchObject(refusal);
});

test("providers of another workspace do not exist, and a name is given once", async () => {
  const [built, other] = await Promise.all([buildWorkspace(), buildWorkspace()]);
  const { id } = await createProvider(writer(built), draftOf());
  const works = [
    () => getProvider(reader(other), id),
    () => removeProvider(writer(other), id, null),
    () => testProvider(writer(other), id, "m", neverAborted),
  ];
  for (const work of works) await expect(work()).rejects.toMatchObject({ code: "not_found" });
  await expect(createProvider(writer(built), draftOf())).rejects.toMatchObject({ code: "conflict" });
  const second = await createProvider(writer(built), draftOf({ name: "Second" }));
  await expect(updateProvider(writer(built), second.id, draftOf({ key: undefined }), null)).rejects.toMatchObject({ code: "conflict" });
  await expect(updateProvider(writer(built), second.id, draftOf({ name: "Third" }), 7)).rejects.toMatchObject({ code: "stale_version" });
});

test("the fallback chain is the first model of each enabled provider, in order", async () => {
  const built = await buildWorkspace();
  const first = await createProvider(writer(built), draftOf());
  const off = await createProvider(writer(built), draftOf({ name: "Off", enabled: false }));
  const empty = await createProvider(writer(built), draftOf({ name: "Empty", models: [] }));
  const last = await createProvider(writer(built), draftOf({ name: "Last", models: [{ name: "qwen3" }] }));
  const { id: workspaceId } = built.workspace;
  expect((await fallbackChain(workspaceId)).map(({ model }) => model)).toEqual(["gpt-5-mini", "qwen3"]);
  await orderProviders(writer(built), [last.id, empty.id, off.id, first.id]);
  expect((await fallbackChain(workspaceId)).map(({ model }) => model)).toEqual(["qwen3", "gpt-5-mini"]);
  expect((await listProviders(reader(built))).items.map(({ name }) => name)).toEqual(["Last", "Empty", "Off", "OpenAI"]);
  await expect(orderProviders(writer(built), [last.id])).rejects.toMatchObject({ code: "conflict" });
  await expect(orderProviders(writer(built), [last.id, last.id])).rejects.toMatchObject({ code: "invalid" });
});

test("the cost follows the prices, and is unknown without them", async () => {
  const built = await buildWorkspace();
  const { id: providerId } = await createProvider(writer(built), draftOf());
  const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
  const priceOf = (model: string) => findPrice(built.workspace.id, { providerId, model });
  expect(costOf(usage, await priceOf("gpt-5-mini"))).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.1 * 8, 10);
  expect(costOf(usage, await priceOf("gpt-5"))).toBeNull();
  expect(costOf(usage, await priceOf("unknown"))).toBeNull();
});

test("a test asks the model for real, and says why there is no answer", async () => {
  const built = await buildWorkspace();
  const server = await startModelServer([{ text: ["Rea", "dy"], usage: { input: 9, cached: 0, output: 2 } }, { status: 401 }]);
  const baseUrl = server.baseUrl("openai_compatible");
  const { id } = await createProvider(writer(built), draftOf({ baseUrl, enabled: false }));
  const test = await testProvider(writer(built), id, "gpt-5", neverAborted);
  expect(test).toMatchObject({ succeeded: true, error: null, text: "Ready", inputTokens: 9, outputTokens: 2 });
  expect(test.firstWordMs).toBeLessThanOrEqual(test.durationMs);
  const draft = { kind: "openai_compatible" as const, baseUrl, providerId: id, model: "gpt-5" };
  const refused = await testDraft(writer(built), draft, neverAborted);
  expect(refused).toMatchObject({ succeeded: false, error: expect.stringContaining("OpenAI refuses the key"), text: "" });
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`, `Bearer ${key}`]);
  const silent = await testDraft(writer(built), { kind: "anthropic", baseUrl: "http://127.0.0.1:9/v1", model: "m" }, neverAborted);
  expect(silent).toMatchObject({ succeeded: false, error: expect.stringContaining("127.0.0.1:9") });
});

test("models are listed in each protocol, with prices where the provider tells them", async () => {
  const built = await buildWorkspace();
  const server = await startModelServer([{}], ["model-a", "model-b"]);
  for (const kind of ["openai_compatible", "anthropic", "google"] as const) {
    const { items } = await listDraftModels(writer(built), { kind, baseUrl: server.baseUrl(kind), key }, neverAborted);
    expect(items.map(({ name }) => name)).toEqual(["model-a", "model-b"]);
  }
  const router = await httpApi((_request, response) => {
    const pricing = { prompt: "0.00000025", completion: "0.000002", input_cache_read: "0.000000025" };
    response.end(JSON.stringify({ data: [{ id: "x/y", pricing }] }));
  });
  const { id } = await createProvider(writer(built), draftOf({ baseUrl: `${router.origin}/v1` }));
  expect(await listModelsOf(writer(built), id, neverAborted)).toEqual({
    items: [{ name: "x/y", inputPrice: 0.25, cachedInputPrice: 0.025, outputPrice: 2 }],
  });
  expect(router.received[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

test("a redirect receives neither the key nor a request", async () => {
  const built = await buildWorkspace();
  const thief = await httpApi((_request, response) => void response.end("{}"));
  const server = await httpApi((_request, response) => void response.writeHead(307, { location: `${thief.origin}/v1/models` }).end());
  const access = { kind: "openai_compatible" as const, baseUrl: `${server.origin}/v1`, key };
  await expect(listDraftModels(writer(built), access, neverAborted)).rejects.toMatchObject({
    message: expect.stringContaining("redirects"),
  });
  expect(await testDraft(writer(built), { ...access, model: "m" }, neverAborted)).toMatchObject({ succeeded: false });
  expect(thief.received).toHaveLength(0);
});

test("a local server is found by its protocol, and another program on its port is not", async () => {
  const built = await buildWorkspace();
  const ollama = await httpApi(({ url }, response) => {
    const tags = { models: [{ name: "qwen3:8b", digest: "ab" }] };
    response.writeHead(url === "/api/tags" ? 200 : 404).end(JSON.stringify(tags));
  });
  const website = await httpApi((_request, response) => void response.end("<h1>Hello</h1>"));
  const llama = await httpApi((_request, response) => void response.end(JSON.stringify({ data: [{ id: "gemma", owned_by: "llamacpp" }] })));
  const origins = { ollama: ollama.origin, llama_cpp: llama.origin, lm_studio: website.origin, vllm: llama.origin };
  const candidates = usualServers.map((candidate) => ({ ...candidate, origin: origins[candidate.server] }));
  const { id } = await createProvider(writer(built), draftOf({ baseUrl: `${llama.origin.replace("127.0.0.1", "localhost")}/v1` }));
  expect(await findLocalServers(writer(built), candidates)).toEqual({
    items: [
      { server: "ollama", name: "Ollama", baseUrl: `${ollama.origin}/v1`, models: ["qwen3:8b"], providerId: null },
      { server: "llama_cpp", name: "llama.cpp", baseUrl: `${llama.origin}/v1`, models: ["gemma"], providerId: id },
    ],
  });
});

test.each([
  ["ftp://example.com", "must be an address"],
  ["https://user:secret@example.com/v1", "must not hold a user name"],
  ["https://example.com/v1?key=secret", "must be an address"],
])("the base URL %s is refused", (baseUrl, message) => {
  expect(ModelProviderDraft.safeParse({ name: "A", kind: "google", baseUrl }).error?.issues[0]?.message).toContain(message);
});
