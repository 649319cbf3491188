import { describe, expect, test } from "vitest";
import type { ModelEvent } from "../model-request";
import { asTextRequest } from "./as-text-request";
import { readTextCalls, type TextCallMode } from "./read-text-calls";

const names = new Set(["look", "read_file"]);
const finished: ModelEvent = {
  kind: "finished",
  reason: "stop",
  usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 },
  model: { providerId: "p", model: "m" },
  providerData: null,
};

async function* streamOf(pieces: readonly string[], more: readonly ModelEvent[] = []): AsyncGenerator<ModelEvent> {
  for (const text of pieces) yield { kind: "text", text };
  yield* more;
  yield finished;
}

async function read(pieces: readonly string[], mode: TextCallMode = "auto", more: readonly ModelEvent[] = []) {
  const texts: string[] = [];
  const calls: string[] = [];
  let reason = "";
  for await (const event of readTextCalls(streamOf(pieces, more), { mode, names })) {
    if (event.kind === "text") texts.push(event.text);
    else if (event.kind === "call") calls.push(`${event.call.name} ${event.call.arguments}`);
    else if (event.kind === "finished") reason = event.reason;
  }
  return { text: texts.join(""), texts, calls, reason };
}

/** Every way to cut a text into pieces of one size. */
const piecesOf = (text: string, size: number) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];

describe("calls that a model writes as text", () => {
  const tagged =
    'I look.\n<tool_call>\n{"name": "look", "arguments": {"text": "a"}}\n</tool_call>\n<tool_call>{"name":"read_file","parameters":{"path":"b"}}</tool_call>';
  test.each([1, 2, 3, 7, 1_000])("are read in pieces of %i characters, and their text is shown to nobody", async (size) => {
    expect(await read(piecesOf(tagged, size))).toMatchObject({
      text: "I look.\n",
      calls: ['look {"text":"a"}', 'read_file {"path":"b"}'],
      reason: "tool_calls",
    });
  });

  test.each([1, 5, 1_000])("are read from fenced JSON at the end of the reply, in pieces of %i characters", async (size) => {
    const fenced = 'So:\n```json\n{"name": "look", "arguments": {"text": "a"}}\n```\n';
    expect(await read(piecesOf(fenced, size))).toMatchObject({ text: "So:\n", calls: ['look {"text":"a"}'] });
  });

  test.each([
    ["of an unknown tool", '```json\n{"name": "Rose", "arguments": {}}\n```'],
    ["in the middle of an answer", '```json\n{"name": "look", "arguments": {}}\n```\nThat is how one calls it.'],
    ["of another language", '```ts\nconst a = { name: "look" };\n```\nand\n```\n{ "b": 1 }\n```'],
    ["that is open at the end", "Look:\n```json\n[1, 2"],
    ["around nothing", "```json\n```"],
    ["in a tag, of an unknown tool", '<tool_call>{"name": "rm", "arguments": {}}</tool_call>'],
    ["that only looks like one", "a < b, and `code`, and <tool> and ``` and <tool_"],
  ])("a block %s stays text as it is", async (_, text) => {
    for (const size of [1, 4, 1_000]) expect(await read(piecesOf(text, size))).toMatchObject({ text, calls: [], reason: "stop" });
  });

  test("code is streamed while it is written, because it can be no call", async () => {
    const { texts } = await read(["```python\n", "print(1)\n", "print(2)\n", "```\n", "Done."]);
    expect(texts.slice(0, 3).join("")).toBe("```python\nprint(1)\nprint(2)\n");
  });

  test("with broken JSON or an unknown tool reach the pipeline when the model was told the format, which explains them", async () => {
    expect((await read(['<tool_call>{"name": "look", "arguments": {"text": }}</tool_call>'], "text")).calls).toEqual(['look {"text": }}']);
    expect((await read(['<tool_call>{"name": "nothing", "arguments": {}}'], "text")).calls).toEqual(["nothing {}"]);
  });

  test("do not count beside calls of the provider's own form", async () => {
    const own: ModelEvent = { kind: "call", call: { id: "1", name: "look", arguments: "{}" } };
    const { text, calls } = await read(['<tool_call>{"name": "look", "arguments": {"text": "x"}}'], "auto", [own]);
    expect(calls).toEqual(["look {}"]);
    expect(text).toBe('<tool_call>{"name": "look", "arguments": {"text": "x"}}');
  });
});

test("a model without calls of its own gets tools, calls and results as text", () => {
  const asked = asTextRequest({
    instructions: "Be kind.",
    messages: [
      {
        role: "assistant",
        text: "I look.",
        reasoning: "",
        toolCalls: [{ id: "1", name: "look", arguments: '{"text":"a"}' }],
        providerData: null,
      },
      { role: "tool", callId: "1", name: "look", parts: [{ type: "text", text: "saw a" }], isError: false },
    ],
    tools: [{ name: "look", description: "Reads", inputSchema: { type: "object" } }],
  });
  expect(asked.tools).toEqual([]);
  expect(asked.instructions).toContain('{"name":"look","description":"Reads","parameters":{"type":"object"}}');
  expect(asked.messages).toEqual([
    expect.objectContaining({ text: 'I look.\n<tool_call>\n{"name": "look", "arguments": {"text":"a"}}\n</tool_call>', toolCalls: [] }),
    {
      role: "user",
      parts: [
        { type: "text", text: '<tool_response name="look">' },
        { type: "text", text: "saw a" },
        { type: "text", text: "</tool_response>" },
      ],
    },
  ]);
});
