import { expect, test } from "vitest";
import { giveModel, saying, sentTexts, sentTools, start, transcriptOf, useRunStage } from "@/server/testing/models/run-stage";

const stage = useRunStage();

const written = saying("I look.\n", '<tool_call>\n{"name": "look", ', '"arguments": {"text": "a"}}\n</tool_call>');

test("a model that writes its calls as text gets tools and results as text, and its calls run", async () => {
  const server = await giveModel(stage, [written, saying("Seen.")], { prices: { toolCalls: "text" } });
  const run = await start(stage, "Look at a");
  expect(run).toMatchObject({ status: "succeeded", answer: "Seen." });
  expect(await transcriptOf(run.id)).toEqual(["user: Look at a", "assistant: I look.\nlook()", "tool: saw a", "assistant: Seen."]);
  const [first, second] = server.requests;
  expect(first && sentTools(first)).toEqual([]);
  expect(first && sentTexts(first)[0]).toContain('{"name":"look"');
  expect(second && sentTexts(second).slice(-2).join()).toMatch(/<tool_call>.*<tool_response name=.*saw a/s);
});

test("a call that a model writes as text without being told to runs as well", async () => {
  const server = await giveModel(stage, [written, saying("Seen.")]);
  const run = await start(stage, "Look at a");
  expect(run).toMatchObject({ status: "succeeded", answer: "Seen." });
  expect(stage.log).toEqual(["look a"]);
  expect(server.requests[0] && sentTools(server.requests[0])).toContain("look");
});

test("a model set to native calls has its text left alone", async () => {
  await giveModel(stage, [written], { prices: { toolCalls: "native" } });
  const run = await start(stage, "Look at a");
  expect(run.answer).toContain("<tool_call>");
  expect(stage.log).toEqual([]);
});

test("a server that refuses tools is asked again with the tools as text, and from then on at once", async () => {
  const server = await giveModel(stage, ({ body }) => {
    if (body.tools) return { status: 400, message: "registry.ollama.ai/library/tiny does not support tools" };
    return JSON.stringify(body.messages).includes("saw a") ? saying("Seen.") : written;
  });
  expect(await start(stage, "Look at a")).toMatchObject({ status: "succeeded", answer: "Seen." });
  expect(stage.log).toEqual(["look a"]);
  expect(server.requests.map(({ body }) => body.tools !== undefined)).toEqual([true, false, false]);
});
