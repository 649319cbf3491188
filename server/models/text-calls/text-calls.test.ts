import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { ModelEvent } from "../model-request";
import { asTextRequest } from "./as-text-request";
import { readTextCalls, type TextCallMode } from "./read-text-calls";

const schemas = new Map<string, JsonObject>([
  ["look", { type: "object", properties: { text: { type: "string" }, times: { type: "integer" } } }],
  ["read_file", { type: "object" }],
]);
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
  for await (const event of readTextCalls(streamOf(pieces, more), { mode, schemas })) {
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

  test.each([
    ["Llama", 'Now.\n<function=look>{"text":"a"}</function>'],
    ["Qwen Coder", "Now.\n<tool_call>\n<function=look>\n<parameter=text>\na\n</parameter>\n</function>\n</tool_call>"],
    ["GLM", "Now.\n<tool_call>look\n<arg_key>text</arg_key>\n<arg_value>a</arg_value>\n</tool_call>"],
    ["Mistral", 'Now.\n[TOOL_CALLS] [{"name": "look", "arguments": {"text": "a"}}]'],
    ["newer Mistral", 'Now.\n[TOOL_CALLS]look[ARGS]{"text":"a"}'],
    ["invoke", 'Now.\n<function_calls>\n<invoke name="look">\n<parameter name="text">a</parameter>\n</invoke>\n</function_calls>'],
    ["invoke alone", 'Now.\n<invoke name="look">\n<parameter name="text">a</parameter>\n</invoke>'],
    ["Llama 3.1", 'Now.\n<|python_tag|>{"name": "look", "parameters": {"text": "a"}}'],
    [
      "Kimi",
      'Now.\n<|tool_calls_section_begin|><|tool_call_begin|>functions.look:0<|tool_call_argument_begin|>{"text":"a"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      "DeepSeek",
      'Now.\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>look\n```json\n{"text":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    ["Harmony", 'Now.\n<|channel|>commentary to=functions.look <|constrain|>json<|message|>{"text":"a"}<|call|>'],
    ["a prefixed name", 'Now.\n<tool_call>{"name": "functions.look", "arguments": {"text": "a"}}</tool_call>'],
    ["a fence with a prefixed name", 'Now.\n```json\n{"name": "default_api:look", "arguments": {"text": "a"}}\n```'],
  ])("are read in the form of %s", async (_, text) => {
    for (const size of [1, 3, 7, 1_000]) {
      const { calls, ...read_ } = await read(piecesOf(text, size));
      expect({ size, ...read_, calls: calls.map((call) => call.replaceAll('": "', '":"')) }).toMatchObject({
        size,
        text: "Now.\n",
        calls: ['look {"text":"a"}'],
        reason: "tool_calls",
      });
    }
  });

  test.each([
    ["between backticks", 'Write `<tool_call>{"name": "look", "arguments": {}}</tool_call>` to look.'],
    ["in a code block", 'Such as:\n```xml\n<function=look>{"text":"a"}</function>\n```\n'],
    ["in a code block of another mark", '~~~\n[TOOL_CALLS] [{"name": "look", "arguments": {}}]\n~~~\n'],
    ["in a code block of any language", '```c++\n<tool_call>{"name": "look", "arguments": {}}</tool_call>\n```\nThat is it.'],
    ["with an unknown tool", '<function=paint>{"text":"a"}</function> and [TOOL_CALLS] [{"name":"paint","arguments":{}}]'],
    ["without a call", "Mistral writes [TOOL_CALLS] before its calls, [T] and <function> too."],
  ])("are text when the model quotes the form %s", async (_, text) => {
    for (const size of [1, 3, 7, 1_000]) expect(await read(piecesOf(text, size))).toMatchObject({ text, calls: [], reason: "stop" });
  });

  test("values without a type get the type of the tool's schema", async () => {
    const text = "<function=look><parameter=text>12</parameter><parameter=times>12</parameter></function>";
    expect((await read([text])).calls).toEqual(['look {"text":"12","times":12}']);
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
