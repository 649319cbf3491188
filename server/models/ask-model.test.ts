import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { ProviderKind } from "@/contracts/models/models";
import { modelProviders } from "@/db/schema";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { buildWorkspace } from "@/server/testing/builders";
import { type ScriptedAnswer, startModelServer } from "@/server/testing/models/model-protocol-server";
import { useTestDatabase } from "@/server/testing/test-database";
import { askModel } from "./ask-model";
import type { ModelEvent, ModelRef, ModelRequest } from "./model-request";

useTestDatabase();

const key = "sk-very-secret-key";
const neverAborted = new AbortController().signal;

async function buildProvider(
  workspaceId: string,
  baseUrl: string,
  kind: ProviderKind = "openai_compatible",
  enabled = true,
): Promise<ModelRef> {
  const id = newId();
  const values = { id, workspaceId, name: `Provider ${id.slice(-4)}`, kind, baseUrl, keySealed: seal(key), position: 0, enabled };
  await db().insert(modelProviders).values(values);
  return { providerId: id, model: "test-model" };
}

async function buildChain(...scripts: (readonly ScriptedAnswer[])[]) {
  const { workspace } = await buildWorkspace();
  const servers = await Promise.all(scripts.map((script) => startModelServer(script)));
  const models: ModelRef[] = [];
  for (const server of servers) models.push(await buildProvider(workspace.id, server.baseUrl("openai_compatible")));
  const ask = (request: Partial<ModelRequest> = {}) => collect({ workspaceId: workspace.id, models, ...request });
  return { workspace, servers, models, ask };
}

/** The events of an answer, and the error that ended it. */
async function collect(request: Partial<ModelRequest> & Pick<ModelRequest, "workspaceId" | "models">) {
  const events: ModelEvent[] = [];
  const full: ModelRequest = {
    instructions: "Be brief.",
    messages: [{ role: "user", parts: [{ type: "text", text: "Hello" }] }],
    tools: [],
    settings: {},
    signal: neverAborted,
    ...request,
  };
  try {
    for await (const event of askModel(full)) events.push(event);
    return { events, error: null };
  } catch (error) {
    return { events, error };
  }
}

/** The events without the calls that are being written. */
const wholeOf = (events: readonly ModelEvent[]) => events.filter(({ kind }) => kind !== "call_text");
const textOf = (events: readonly ModelEvent[]) => events.map((event) => (event.kind === "text" ? event.text : "")).join("");

test("an answer streams as text, reasoning, complete calls and usage", async () => {
  const { servers, models, ask } = await buildChain([
    {
      reasoning: ["Let me ", "see."],
      text: ["I look ", "it up."],
      toolCalls: [
        { id: "call_a", name: "read_file", arguments: '{"path":"notes/a.txt","id":12345678901234567890}' },
        { id: "call_b", name: "list_files", arguments: "{}" },
      ],
      usage: { input: 100, cached: 60, output: 9 },
    },
  ]);
  const inputSchema: JsonObject = { type: "object", properties: { path: { type: "string" } } };
  const { events, error } = await ask({
    tools: [{ name: "read_file", description: "Reads", inputSchema }],
    settings: { temperature: 0.2, maxOutputTokens: 50 },
  });
  expect(error).toBeNull();
  expect(wholeOf(events)).toEqual([
    { kind: "reasoning", text: "Let me " },
    { kind: "reasoning", text: "see." },
    { kind: "text", text: "I look " },
    { kind: "text", text: "it up." },
    // Not parsed: the number would lose its last digits.
    { kind: "call", call: { id: "call_a", name: "read_file", arguments: '{"path":"notes/a.txt","id":12345678901234567890}' } },
    { kind: "call", call: { id: "call_b", name: "list_files", arguments: "{}" } },
    {
      kind: "finished",
      reason: "tool_calls",
      usage: { inputTokens: 100, cachedInputTokens: 60, outputTokens: 9 },
      model: models[0],
      providerData: expect.anything(),
    },
  ]);
  expect(servers[0]?.requests[0]).toMatchObject({
    headers: { authorization: `Bearer ${key}` },
    body: {
      model: "test-model",
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: 50,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hello" },
      ],
      tools: [{ type: "function", function: { name: "read_file", description: "Reads", parameters: inputSchema } }],
    },
  });
});

test("malformed arguments reach the pipeline as the model wrote them, and go back inside an object", async () => {
  const call = { id: "call_a", name: "read_file", arguments: '{"path": "a.txt' };
  const { servers, ask } = await buildChain([{ toolCalls: [call] }, { text: ["Sorry."] }]);
  const first = await ask();
  expect(first.events).toContainEqual({ kind: "call", call });
  const image = { type: "image" as const, mediaType: "image/png", data: new Uint8Array([1, 2, 3]) };
  const second = await ask({
    messages: [
      { role: "user", parts: [{ type: "text", text: "Read a.txt" }] },
      { role: "assistant", text: "", reasoning: "", toolCalls: [call], providerData: null },
      {
        role: "tool",
        callId: "call_a",
        name: "read_file",
        parts: [{ type: "text", text: "The arguments are no JSON" }, image],
        isError: true,
      },
    ],
  });
  expect(textOf(second.events)).toBe("Sorry.");
  expect(servers[0]?.requests[1]?.body.messages).toMatchObject([
    {},
    {},
    { role: "assistant", tool_calls: [{ id: "call_a", function: { arguments: JSON.stringify({ malformed_arguments: call.arguments }) } }] },
    { role: "tool", tool_call_id: "call_a", content: "The arguments are no JSON\n[image]" },
    { role: "user", content: [{ type: "text" }, { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } }] },
  ]);
});

test("thinking goes back to the same model during one answer only", async () => {
  const { servers, models, ask } = await buildChain([{ reasoning: ["Hm."], toolCalls: [{ id: "c", name: "look", arguments: "{}" }] }, {}]);
  const { events } = await ask();
  const finished = events.at(-1);
  if (finished?.kind !== "finished") throw new Error("The answer did not finish");
  const [model] = models;
  if (!model) throw new Error("The chain is empty");
  const assistant = {
    role: "assistant" as const,
    text: "",
    reasoning: "Hm.",
    toolCalls: [{ id: "c", name: "look", arguments: "{}" }],
    providerData: finished.providerData,
  };
  const question = { role: "user" as const, parts: [{ type: "text" as const, text: "Look" }] };
  const result = { role: "tool" as const, callId: "c", name: "look", parts: [{ type: "text" as const, text: "seen" }], isError: false };
  await ask({ messages: [question, assistant, result] });
  await ask({ messages: [question, assistant, result, question] });
  await ask({ messages: [question, { ...assistant, providerData: { ...finished.providerData, model: "another" } }, result] });
  const sent = servers[0]?.requests.slice(1).map(({ body }) => JSON.stringify(body).includes('"reasoning_content":"Hm."'));
  expect(sent).toEqual([true, false, false]);
});

test("a rate limit and a fault are waited out, then the model answers", async () => {
  const { servers, ask } = await buildChain([{ status: 429, headers: { "retry-after": "0" } }, { status: 503 }, { text: ["At last."] }]);
  const { events } = await ask();
  expect(textOf(events)).toBe("At last.");
  expect(servers[0]?.requests).toHaveLength(3);
});

test("the chain goes on to the next model, and says who answered", async () => {
  const { servers, models, ask } = await buildChain([{ status: 429, headers: { "retry-after": "3600" } }], [{ text: ["Here."] }]);
  const { events } = await ask();
  expect(textOf(events)).toBe("Here.");
  expect(events.at(-1)).toMatchObject({ kind: "finished", reason: "stop", model: models[1] });
  expect(servers[0]?.requests).toHaveLength(1);
});

test("nothing is asked again after words were passed on", async () => {
  const { servers, ask } = await buildChain([{ text: ["One ", "two"], breaksOff: "error", message: "GPU lost" }], [{ text: ["never"] }]);
  const { events, error } = await ask();
  expect(textOf(events)).toBe("One two");
  expect(error).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("broke off its answer. Try again. It says: “GPU lost”"),
  });
  expect(servers.map(({ requests }) => requests.length)).toEqual([1, 0]);
});

test.each(["connection", "early", "malformed"] as const)(
  "half a call of a broken stream (%s) is shown and never counts",
  async (breaksOff) => {
    const { ask } = await buildChain([{ toolCalls: [{ id: "c", name: "look", arguments: '{"a":1}' }], breaksOff }], [{ text: ["Whole."] }]);
    const { events, error } = await ask();
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(["call_text"]));
    expect(error).toMatchObject({ code: "unavailable" });
  },
);

test.each([
  [
    401,
    `Incorrect API key provided: ${key}`,
    "refuses the key. Enter a valid key in Settings → Models. It says: “Incorrect API key provided: [key]”",
  ],
  [404, "The model does not exist", "has no model test-model"],
  [402, "Pay first", "has no credit left"],
  [400, "messages.0 is wrong", "refused the request to test-model (HTTP 400). It says: “messages.0 is wrong”"],
  [307, "", "redirects to another address"],
])("HTTP %i becomes a sentence, without the key", async (status, message, sentence) => {
  const { servers, ask } = await buildChain([{ status, message, headers: { location: "http://127.0.0.1:1/" } }]);
  const { error } = await ask();
  expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining(sentence) });
  expect(String(error)).not.toContain(key);
  expect(servers[0]?.requests).toHaveLength(1);
});

test("without a model that can answer, the error names each reason", async () => {
  const { workspace, models } = await buildChain([{ status: 401 }]);
  const off = await buildProvider(workspace.id, "http://127.0.0.1:9/v1", "openai_compatible", false);
  const foreign = await buildProvider((await buildWorkspace()).workspace.id, "http://127.0.0.1:9/v1");
  const { error } = await collect({ workspaceId: workspace.id, models: [...models, off, foreign] });
  expect(error).toMatchObject({
    message: expect.stringMatching(/^No model could answer\. .*refuses the key.*is disabled.*The provider of test-model was removed/),
  });
  const none = await collect({ workspaceId: workspace.id, models: [] });
  expect(none.error).toMatchObject({ code: "unavailable", message: "No model is configured. Add a provider in Settings → Models." });
});

test("an abort ends the request at once, with the reason of the signal", async () => {
  const { servers, ask } = await buildChain([{ text: ["One"], holdsUntil: new Promise(() => {}) }]);
  const controller = new AbortController();
  const reason = new Error("The person stopped the run");
  setTimeout(() => controller.abort(reason), 100);
  const { events, error } = await ask({ signal: controller.signal });
  expect(textOf(events)).toBe("One");
  expect(error).toBe(reason);
  await expect.poll(() => servers[0]?.abandoned()).toBe(1);
});

test("a reader that leaves ends the request", async () => {
  const { workspace, servers, models } = await buildChain([{ text: ["One"], holdsUntil: new Promise(() => {}) }]);
  const request = { instructions: "", messages: [], tools: [], settings: {}, signal: neverAborted };
  for await (const _ of askModel({ workspaceId: workspace.id, models, ...request })) break;
  await expect.poll(() => servers[0]?.abandoned()).toBe(1);
});

test.each([
  ["anthropic", "x-api-key", "signed-thinking"],
  ["google", "x-goog-api-key", "signed-call"],
] as const)("the %s protocol gives the same events, and gets its signatures back", async (kind, header, signature) => {
  const { workspace } = await buildWorkspace();
  const server = await startModelServer([
    {
      reasoning: ["Hm."],
      text: ["Look"],
      toolCalls: [{ id: "toolu_1", name: "look", arguments: '{"at":"sky"}' }],
      usage: { input: 20, cached: 5, output: 4 },
    },
    { text: ["Done"] },
  ]);
  const models = [await buildProvider(workspace.id, server.baseUrl(kind), kind)];
  const tools = [{ name: "look", description: "Looks", inputSchema: { type: "object", properties: { at: { type: "string" } } } }];
  const question = { role: "user" as const, parts: [{ type: "text" as const, text: "What is above?" }] };
  const { events, error } = await collect({ workspaceId: workspace.id, models, tools, messages: [question] });
  expect(error).toBeNull();
  expect(wholeOf(events).map(({ kind }) => kind)).toEqual(["reasoning", "text", "call", "finished"]);
  const finished = events.at(-1);
  const called = events.find((event) => event.kind === "call");
  if (finished?.kind !== "finished" || !called) throw new Error("The answer has no call");
  expect(called.call).toMatchObject({ name: "look", arguments: '{"at":"sky"}' });
  expect(finished).toMatchObject({ reason: "tool_calls", usage: { inputTokens: 20, cachedInputTokens: 5, outputTokens: 4 } });
  const reply = {
    role: "assistant" as const,
    text: "Look",
    reasoning: "Hm.",
    toolCalls: [called.call],
    providerData: finished.providerData,
  };
  const result = {
    role: "tool" as const,
    callId: called.call.id,
    name: "look",
    parts: [{ type: "text" as const, text: "stars" }],
    isError: false,
  };
  const second = await collect({ workspaceId: workspace.id, models, tools, messages: [question, reply, result] });
  expect(textOf(second.events)).toBe("Done");
  expect(server.requests[0]?.headers[header]).toBe(key);
  expect(JSON.stringify(server.requests[1]?.body)).toContain(signature);
  expect(JSON.stringify(server.requests[1]?.body)).toContain("stars");
});

test.each([
  ["Too many tools: at most 128 are allowed", "takes fewer tools"],
  ["Invalid 'tools': array too long. Expected an array with maximum length 128", "takes fewer tools"],
  ["This model's maximum context length is 8192 tokens", "finds the request too large"],
])("a refusal that says %j names the way out", async (message, sentence) => {
  const { ask } = await buildChain([{ status: 400, message }]);
  expect((await ask()).error).toMatchObject({ code: "unavailable", message: expect.stringContaining(sentence) });
});

test("a page of HTML in place of an answer says that the base URL seems wrong, and is not asked for again", async () => {
  const { servers, ask } = await buildChain([{ headers: { "content-type": "text/html; charset=utf-8" }, text: ["<html>"] }]);
  expect((await ask()).error).toMatchObject({ message: expect.stringContaining("answered with a web page. The base URL seems wrong") });
  expect(servers[0]?.requests).toHaveLength(1);
});

test("a short key, such as a dummy of a local server, masks nothing", async () => {
  const { workspace, models, ask } = await buildChain([{ status: 400, message: "moc says: too many tokens" }]);
  await db()
    .update(modelProviders)
    .set({ keySealed: seal("k") })
    .where(eq(modelProviders.workspaceId, workspace.id));
  expect((await ask({ models })).error).toMatchObject({ message: expect.stringContaining("too many tokens") });
});
