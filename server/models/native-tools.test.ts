import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { ProviderKind } from "@/contracts/models/models";
import { type ScriptedAnswer, startModelServer } from "@/server/testing/models/model-protocol-server";
import { onePixel } from "@/server/testing/services/media-server";
import { askProvider } from "./ask-model";
import type { ModelEvent, ModelMessage, NativeTool } from "./model-request";

const neverAborted = new AbortController().signal;
const nativeTools: readonly NativeTool[] = [
  { kind: "image_generation", name: "provider_image_generation", options: { size: "1024x1536", output_format: "webp", quality: "high" } },
  { kind: "web_search", name: "provider_web_search", options: { max_uses: 3, search_context_size: "low" } },
];
const inputSchema: JsonObject = { type: "object", properties: {} };

type Asked = { model?: string; messages?: readonly ModelMessage[]; functions?: readonly string[] };

/** Asks a provider of a kind once; returns the events and what the provider received. */
async function ask(kind: ProviderKind, answer: ScriptedAnswer, { model = "test-model", messages, functions = ["web_search"] }: Asked = {}) {
  const server = await startModelServer([answer]);
  const access = { name: "Lab", kind, baseUrl: server.baseUrl(kind), key: "key" };
  const events: ModelEvent[] = [];
  for await (const event of askProvider(
    access,
    { providerId: "p", model },
    {
      instructions: "Be brief.",
      messages: messages ?? [{ role: "user", parts: [{ type: "text", text: "Draw a cat" }] }],
      tools: functions.map((name) => ({ name, description: "Searches", inputSchema })),
      nativeTools,
      settings: {},
      signal: neverAborted,
    },
  )) {
    events.push(event);
  }
  return { events, body: server.requests[0]?.body ?? {} };
}

const finished = (events: readonly ModelEvent[]) => {
  const last = events.at(-1);
  if (last?.kind !== "finished") throw new Error("the answer did not finish");
  return last;
};

test("the responses protocol gets the provider's tools with their options, and its image comes back once, without the preview", async () => {
  const image = onePixel.toString("base64");
  const usage = { input: 20, cached: 5, output: 9 };
  const { events, body } = await ask("openai_responses", { reasoning: ["Hm."], images: [image], text: ["Here ", "it is."], usage });
  expect(body).toMatchObject({ model: "test-model", store: false, stream: true });
  expect(body.tools).toEqual([
    expect.objectContaining({ type: "function", name: "web_search" }),
    { type: "image_generation", output_format: "webp", size: "1024x1536", quality: "high" },
    { type: "web_search", search_context_size: "low" },
  ]);
  expect(events.flatMap((event) => (event.kind === "text" ? [event.text] : [])).join("")).toBe("Here it is.");
  expect(finished(events)).toMatchObject({ reason: "stop", usage: { inputTokens: 20, cachedInputTokens: 5, outputTokens: 9 } });
  expect(finished(events).files?.map(({ mediaType, data }) => [mediaType, Buffer.from(data).equals(onePixel)])).toEqual([
    ["image/png", true],
  ]);
  expect(events.some((event) => event.kind === "call")).toBe(false);
});

test("the responses protocol passes calls on, and results with images go back as such", async () => {
  const called = await ask("openai_responses", { toolCalls: [{ id: "call_1", name: "web_search", arguments: '{"q":1}' }] });
  expect(called.events.find(({ kind }) => kind === "call")).toEqual({
    kind: "call",
    call: { id: "call_1", name: "web_search", arguments: '{"q":1}' },
  });
  expect(finished(called.events)).toMatchObject({ reason: "tool_calls" });
  const messages: ModelMessage[] = [
    { role: "user", parts: [{ type: "text", text: "Look" }] },
    {
      role: "assistant",
      text: "",
      reasoning: "",
      toolCalls: [{ id: "call_1", name: "look", arguments: "{}" }],
      providerData: finished(called.events).providerData,
    },
    {
      role: "tool",
      callId: "call_1",
      name: "look",
      isError: false,
      parts: [
        { type: "text", text: "a cat" },
        { type: "image", mediaType: "image/png", data: onePixel },
      ],
    },
  ];
  const { body } = await ask("openai_responses", { text: ["A cat."] }, { messages });
  expect(body.input).toContainEqual(expect.objectContaining({ type: "function_call", call_id: "call_1", name: "look" }));
  expect(body.input).toContainEqual({
    type: "function_call_output",
    call_id: "call_1",
    output: [{ type: "input_text", text: "a cat" }, expect.objectContaining({ type: "input_image" })],
  });
  expect(JSON.stringify(body.input)).not.toContain("item_reference");
});

test("chat completions have no tools of their own, so these are dropped silently", async () => {
  const { body, events } = await ask("openai_compatible", { text: ["No."] });
  expect(body.tools).toEqual([expect.objectContaining({ type: "function", function: expect.objectContaining({ name: "web_search" }) })]);
  expect(finished(events).files).toBeUndefined();
});

test("Anthropic's search stands beside a function of the same name, which gets a suffix", async () => {
  const { body } = await ask("anthropic", { text: ["Hm."] });
  expect(body.tools).toEqual([
    expect.objectContaining({ name: "web_search_tool" }),
    expect.objectContaining({ type: "web_search_20250305", name: "web_search", max_uses: 3 }),
  ]);
});

test("Gemini gets its search with functions from the third generation on, and before that only without functions", async () => {
  const toolsOf = async (model: string, functions: readonly string[]) =>
    JSON.stringify((await ask("google", { text: ["x"] }, { model, functions })).body.tools);
  expect(await toolsOf("gemini-2.5-flash", ["look"])).not.toContain("googleSearch");
  expect(await toolsOf("gemini-2.5-flash", [])).toContain("googleSearch");
  const both = await toolsOf("gemini-3-pro-preview", ["look"]);
  expect(both).toContain("googleSearch");
  expect(both).toContain("functionDeclarations");
});

test("a broken image of a provider is left out, and the answer stays", async () => {
  const { events } = await ask("openai_responses", { images: [Buffer.from("no image").toString("base64")], text: ["Sorry."] });
  expect(finished(events).files).toBeUndefined();
});

test("an error within the responses protocol is told with the provider's sentence", async () => {
  await expect(ask("openai_responses", { breaksOff: "error", message: "The model is overloaded" })).rejects.toThrow(/Lab .*overloaded/);
});
