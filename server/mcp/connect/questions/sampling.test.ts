import path from "node:path";
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { eq } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { auditEvents, modelProviders } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { serveMcp } from "@/server/testing/mcp/serve-mcp";
import { type ScriptedAnswer, startModelServer } from "@/server/testing/models/model-protocol-server";
import { samplingLimits } from "./sample";

const full = path.resolve("server/testing/mcp/full-mcp-server.mjs");
const { connected, connectedAs, house, run, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });

const asked = (text: string, rest: object = {}) => ({
  messages: [{ role: "user", content: { type: "text", text } }],
  maxTokens: 50,
  ...rest,
});
let before = 0;
const allAudited = () => db().select().from(auditEvents).where(eq(auditEvents.event, "mcp_server.sampled")).orderBy(auditEvents.id);
const audited = async () => (await allAudited()).slice(before).map(({ data }) => data);
beforeEach(async () => {
  before = (await allAudited()).length;
});

/** Gives the workspace a model that answers by the script until the test ends. */
async function model(...script: ScriptedAnswer[]) {
  const server = await startModelServer(script);
  const id = newId();
  await db()
    .insert(modelProviders)
    .values({
      id,
      workspaceId: house().workspace.id,
      name: `Provider ${id}`,
      kind: "openai_compatible",
      baseUrl: server.baseUrl("openai_compatible"),
      keySealed: null,
      models: [{ name: "test-model", inputPrice: 1, cachedInputPrice: 1, outputPrice: 10 }],
      position: 0,
    });
  onTestFinished(async () => {
    await db().delete(modelProviders);
  });
  return server;
}

const paris: ScriptedAnswer = { text: ["Paris", "."], usage: { input: 1_000, cached: 0, output: 100 } };

test("a server that may ask models gets the answer of the workspace's model, within limits, and the audit has its cost", async () => {
  await start();
  const server = await model(paris, { ...paris, finishReason: "length" });
  const { id } = await connected("full", [full], { allowSampling: true });
  const request = asked("Capital of France?", { systemPrompt: "Be brief.", maxTokens: 1_000_000, temperature: 0.5, modelPreferences: {} });
  expect(JSON.parse(await run(id, "full__ask_model", { request }))).toEqual({
    role: "assistant",
    content: { type: "text", text: "Paris." },
    model: "test-model",
    stopReason: "endTurn",
  });
  expect(server.requests[0]?.body).toMatchObject({
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Capital of France?" },
    ],
    max_tokens: samplingLimits.outputTokens,
    temperature: 0.5,
  });
  expect(JSON.parse(await run(id, "full__ask_model", { request: asked("Again?") }))).toMatchObject({ stopReason: "maxTokens" });
  expect((await audited())[0]).toMatchObject({ model: "test-model", inputTokens: 1_000, outputTokens: 100, costUsd: 0.002 });
});

test("a server without the switch is told that sampling is not there, and no model is asked", async () => {
  await start();
  const server = await model(paris);
  const { id } = await connected("full", [full]);
  expect(await run(id, "full__ask_model", { request: asked("Capital?") })).toContain("-32601");
  expect(server.requests).toEqual([]);
  expect(await audited()).toEqual([]);
});

test("requests that a text model cannot answer, or that are too large, are refused with the reason, which is audited", async () => {
  await start();
  const server = await model(paris);
  const { id } = await connected("full", [full], { allowSampling: true });
  const refusal = async (request: object) => JSON.parse(await run(id, "full__ask_model", { request })).message as string;
  expect(await refusal(asked("x".repeat(samplingLimits.characters + 1)))).toContain("Send less.");
  expect(await refusal({ messages: [], maxTokens: 5 })).toContain("Send at least one message.");
  const sound = { role: "user", content: { type: "audio", data: "AAAA", mimeType: "audio/wav" } };
  expect(await refusal({ messages: [sound], maxTokens: 5 })).toContain("texts and pictures, not audio");
  expect(server.requests).toEqual([]);
  expect(await audited()).toHaveLength(3);
});

test("a server in a loop is stopped before it spends more than a burst", async () => {
  await start();
  const server = await model(paris);
  const { id } = await connected("full", [full], { allowSampling: true });
  const { burst, perMinute } = samplingLimits;
  const startedAt = performance.now();
  let last = "";
  // On a slow machine some requests are earned anew while the first ones run.
  for (let count = 0; count < burst * 5 && !last.includes("Ask again in a minute."); count += 1)
    last = await run(id, "full__ask_model", { request: asked("Again?") });
  const earned = Math.ceil(((performance.now() - startedAt) / 60_000) * perMinute);
  expect(last).toContain("Ask again in a minute.");
  expect(server.requests.length).toBeLessThanOrEqual(burst + earned + 1);
});

test("without a model the server reads what is missing", async () => {
  await start();
  const { id } = await connected("full", [full], { allowSampling: true });
  expect(await run(id, "full__ask_model", { request: asked("Capital?") })).toContain("No model is configured.");
});

test("a server of 2026-07-28 asks within its answer, and the call goes on with the model's words", async () => {
  await start();
  await model(paris);
  const served = await serveMcp(() => {
    const server = new McpServer({ name: "modern", version: "1" });
    server.registerTool("ask", { inputSchema: z.object({}), annotations: { readOnlyHint: true } }, (_args, { mcpReq }) => {
      const given = mcpReq.inputResponses?.words as { content?: { text: string } } | undefined;
      if (given?.content) return { content: [{ type: "text", text: `The model says ${given.content.text}` }] };
      const params = asked("Capital?") as Parameters<typeof inputRequired.createMessage>[0];
      return inputRequired({ inputRequests: { words: inputRequired.createMessage(params) } });
    });
    return server;
  });
  onTestFinished(served.stop);
  const draft = { alias: "modern", transport: "streamable_http", url: served.url, allowSampling: true };
  const { id } = await connectedAs(McpServerDraft.parse(draft));
  expect(await run(id, "modern__ask")).toBe("The model says Paris.");
});
