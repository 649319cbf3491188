import type { ProviderKind } from "@/contracts/models/models";

/** An answer of the model server; all members are optional, and an empty answer is valid. */
export type ScriptedAnswer = {
  /** Another status than 200 sends an error document. */
  status?: number;
  headers?: Record<string, string>;
  /** The sentence of the error document or of the error within the stream. */
  message?: string;
  reasoning?: readonly string[];
  /** Text in the pieces in which it arrives. */
  text?: readonly string[];
  /** Calls; the chat-completions protocol sends their arguments in small pieces by turns. */
  toolCalls?: readonly {
    id: string;
    name: string;
    arguments: string /** A custom tool, which takes text; in the responses protocol only. */;
    isFreeform?: boolean;
  }[];
  /** Images by the provider's own generator, as base64; in the responses protocol only. */
  images?: readonly string[];
  /** Null: the chat-completions server sends none. */
  usage?: { input: number; cached: number; output: number } | null;
  /** The finish reason of the chat-completions protocol; derived when absent. */
  finishReason?: string;
  /** After all pieces: cuts the connection, ends without the last event, or sends an error or something else than JSON. */
  breaksOff?: "connection" | "early" | "error" | "malformed";
  /** Holds the end of the answer back. */
  holdsUntil?: Promise<unknown>;
};

type Stream = { pieces: string[]; end: string };
type Protocol = (model: string, answer: ScriptedAnswer) => Stream;

const defaultUsage = { input: 11, cached: 3, output: 7 };
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { type: string } & Record<string, unknown>) => `event: ${value.type}\n${data(value)}`;

const chatCompletions: Protocol = (model, { reasoning = [], text = [], toolCalls = [], usage = defaultUsage, ...answer }) => {
  const chunk = (delta: object, finishReason: string | null = null) =>
    data({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    });
  const pieces = [
    chunk({ role: "assistant", content: "" }),
    ...reasoning.map((piece) => chunk({ reasoning_content: piece })),
    ...text.map((piece) => chunk({ content: piece })),
    ...toolCalls.map(({ id, name }, index) => chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] })),
  ];
  const longest = Math.max(0, ...toolCalls.map((call) => call.arguments.length));
  for (let start = 0; start < longest; start += 5) {
    for (const [index, call] of toolCalls.entries()) {
      const piece = call.arguments.slice(start, start + 5);
      if (piece) pieces.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  if (answer.breaksOff === "error")
    return { pieces, end: data({ error: { message: answer.message ?? "The server failed", type: "server_error" } }) };
  const total = usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
  const last = total ? data({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model, choices: [], usage: total }) : "";
  return { pieces, end: `${chunk({}, answer.finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop"))}${last}data: [DONE]\n\n` };
};

const responses: Protocol = (model, { reasoning = [], text = [], toolCalls = [], images = [], usage: given, ...answer }) => {
  const usage = given ?? defaultUsage;
  const created = { id: "resp_1", object: "response", created_at: 1, model };
  const pieces = [named({ type: "response.created", response: created })];
  let output_index = 0;
  const item = (added: object, done: object, between: readonly ({ type: string } & Record<string, unknown>)[] = []) => {
    pieces.push(named({ type: "response.output_item.added", output_index, item: added }));
    for (const event of between) pieces.push(named({ ...event, output_index }));
    pieces.push(named({ type: "response.output_item.done", output_index, item: done }));
    output_index += 1;
  };
  if (reasoning.length > 0) {
    const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed-thinking" };
    item(
      thought,
      thought,
      reasoning.map((delta) => ({ type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta })),
    );
  }
  for (const [index, result] of images.entries()) {
    const call = { type: "image_generation_call", id: `ig_${index}` };
    item(call, { ...call, status: "completed", result }, [
      { type: "response.image_generation_call.partial_image", item_id: call.id, partial_image_index: 0, partial_image_b64: result },
    ]);
  }
  if (text.length > 0) {
    const message = { type: "message", id: "msg_1", role: "assistant", content: [] };
    item(
      message,
      message,
      text.map((delta) => ({ type: "response.output_text.delta", item_id: "msg_1", content_index: 0, delta })),
    );
  }
  for (const { id, name, arguments: json, isFreeform } of toolCalls) {
    if (isFreeform) {
      const call = { type: "custom_tool_call", id: `ctc_${id}`, call_id: id, name };
      item({ ...call, input: "" }, { ...call, input: json, status: "completed" });
      continue;
    }
    const call = { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: json };
    item({ ...call, arguments: "" }, { ...call, status: "completed" }, [
      { type: "response.function_call_arguments.delta", item_id: call.id, delta: json },
    ]);
  }
  if (answer.breaksOff === "error") {
    const error = { type: "server_error", code: "server_error", message: answer.message ?? "The server failed", param: null };
    return { pieces, end: named({ type: "error", sequence_number: 1, error }) };
  }
  const counted = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
  };
  return { pieces, end: named({ type: "response.completed", response: { ...created, incomplete_details: null, usage: counted } }) };
};

const anthropic: Protocol = (model, { reasoning = [], text = [], toolCalls = [], usage: given, ...answer }) => {
  const usage = given ?? defaultUsage;
  const input_tokens = usage.input - usage.cached;
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens, cache_read_input_tokens: usage.cached, cache_creation_input_tokens: 0, output_tokens: 1 },
  };
  const pieces = [named({ type: "message_start", message })];
  let index = 0;
  const block = (content: object, deltas: object[]) => {
    pieces.push(named({ type: "content_block_start", index, content_block: content }));
    for (const delta of deltas) pieces.push(named({ type: "content_block_delta", index, delta }));
    pieces.push(named({ type: "content_block_stop", index }));
    index += 1;
  };
  if (reasoning.length > 0)
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...reasoning.map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: "signed-thinking" },
    ]);
  if (text.length > 0)
    block(
      { type: "text", text: "" },
      text.map((piece) => ({ type: "text_delta", text: piece })),
    );
  for (const { id, name, arguments: json } of toolCalls)
    block({ type: "tool_use", id, name, input: {} }, [{ type: "input_json_delta", partial_json: json }]);
  if (answer.breaksOff === "error")
    return { pieces, end: named({ type: "error", error: { type: "overloaded_error", message: answer.message ?? "Overloaded" } }) };
  const delta = { stop_reason: toolCalls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
  const end = named({ type: "message_delta", delta, usage: { output_tokens: usage.output } });
  return { pieces, end: `${end}${named({ type: "message_stop" })}` };
};

const google: Protocol = (model, { reasoning = [], text = [], toolCalls = [], usage: given, ...answer }) => {
  const usage = given ?? defaultUsage;
  const chunk = (parts: object[], more: object = {}) =>
    data({ candidates: [{ content: { role: "model", parts }, index: 0, ...more }], modelVersion: model });
  const pieces = [
    ...reasoning.map((piece) => chunk([{ text: piece, thought: true }])),
    ...text.map((piece) => chunk([{ text: piece }])),
    ...toolCalls.map(({ name, arguments: json }) =>
      chunk([{ functionCall: { name, args: JSON.parse(json) }, thoughtSignature: "signed-call" }]),
    ),
  ];
  if (answer.breaksOff === "error")
    return { pieces, end: data({ error: { code: 503, message: answer.message ?? "Overloaded", status: "UNAVAILABLE" } }) };
  const usageMetadata = { promptTokenCount: usage.input, cachedContentTokenCount: usage.cached, candidatesTokenCount: usage.output };
  const end = data({ candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP", index: 0 }], usageMetadata });
  return { pieces, end };
};

/** Writes an answer as each kind of provider streams it. */
export const modelProtocols: Record<ProviderKind, Protocol> = {
  openai_compatible: chatCompletions,
  openai_responses: responses,
  anthropic,
  google,
};
