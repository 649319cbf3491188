import type { Json, JsonObject } from "@/contracts/common";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { ModelMessage, ModelPart, ModelRequest, ModelToolCall } from "@/server/models/model-request";
import { AppError } from "@/server/platform/errors";

type Asked = Pick<ModelRequest, "models" | "instructions" | "messages" | "tools">;

/**
 * Returns a request as hooks see it: `{ model, messages, tools }`. Messages have the members of chat completions, the first one holds
 * the instructions. Images are told by their number.
 */
export function requestForHooks({ models, instructions, messages, tools }: Asked): JsonObject {
  return {
    model: models[0]?.model ?? "",
    messages: [{ role: "system", content: instructions }, ...messages.map(messageForHooks)],
    tools: tools.map(({ name }) => name),
  };
}

function messageForHooks(message: ModelMessage): JsonObject {
  switch (message.role) {
    case "user":
      return { role: "user", content: textOf(message.parts), ...imagesOf(message.parts) };
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.callId,
        name: message.name,
        content: textOf(message.parts),
        ...(message.isError ? { is_error: true } : {}),
        ...imagesOf(message.parts),
      };
    case "assistant":
      return {
        role: "assistant",
        content: message.text,
        ...(message.toolCalls.length > 0 ? { tool_calls: callsForHooks(message.toolCalls) } : {}),
      };
  }
}

export const callsForHooks = (calls: readonly ModelToolCall[]): Json[] =>
  calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));

const textOf = (parts: readonly ModelPart[]): string => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

function imagesOf(parts: readonly ModelPart[]): JsonObject {
  const images = parts.filter(({ type }) => type === "image").length;
  return images > 0 ? { images } : {};
}

/**
 * Reads a request that hooks have changed. A message that they left alone stays as it was, with its images and the provider's data.
 * `model` is the name of the model that a hook has chosen; null when none has.
 * @throws AppError `invalid` for a request that is none any more
 */
export function requestFromHooks(asked: Asked, before: JsonObject, after: JsonObject): Asked & { model: string | null } {
  const { model, messages, tools } = after;
  if (!Array.isArray(messages)) throw unreadable("messages is no list");
  const originals = makeFinder(asked.messages);
  const instructions: string[] = [];
  const read: ModelMessage[] = [];
  for (const [place, message] of messages.entries()) {
    if (!isJsonObject(message)) throw unreadable(`message ${place} is no object`);
    if (message.role === "system") instructions.push(String(message.content ?? ""));
    else read.push(originals(message, place - 1, messages.length - 1) ?? newMessage(message, place));
  }
  const kept = new Set(Array.isArray(tools) ? tools : []);
  return {
    models: asked.models,
    instructions: instructions.filter((text) => text.trim() !== "").join("\n\n"),
    messages: read,
    tools: asked.tools.filter(({ name }) => kept.has(name)),
    model: typeof model === "string" && model !== before.model ? model : null,
  };
}

/** Finds the message of ours behind one of a hook: the same one, the result of the same call, or the one at the same place. */
function makeFinder(messages: readonly ModelMessage[]) {
  const texts = new Map(messages.map((message) => [canonicalJson(messageForHooks(message)), message]));
  const results = new Map(messages.flatMap((message) => (message.role === "tool" ? [[message.callId, message] as const] : [])));
  return (message: JsonObject, place: number, count: number): ModelMessage | null => {
    const same = texts.get(canonicalJson(message));
    if (same) return same;
    const at = count === messages.length ? messages[place] : undefined;
    const result = message.role === "tool" ? results.get(String(message.tool_call_id)) : undefined;
    const original = result ?? (at?.role === message.role ? at : undefined);
    return original ? withChanges(original, message) : null;
  };
}

function withChanges(original: ModelMessage, message: JsonObject): ModelMessage {
  const text = String(message.content ?? "");
  if (original.role === "assistant") {
    const toolCalls = message.tool_calls === undefined ? [] : callsFromHooks(message.tool_calls);
    return { ...original, text, toolCalls };
  }
  return { ...original, parts: [{ type: "text", text }, ...original.parts.filter(({ type }) => type === "image")] };
}

function newMessage(message: JsonObject, place: number): ModelMessage {
  const text = String(message.content ?? "");
  switch (message.role) {
    case "user":
      return { role: "user", parts: [{ type: "text", text }] };
    case "assistant":
      return { role: "assistant", text, reasoning: "", toolCalls: [], providerData: null };
    default:
      throw unreadable(`message ${place} has the role ${String(message.role)}, and a hook may add system, user and assistant only`);
  }
}

/** Reads the calls of a message; what is no call is left out. */
export function callsFromHooks(calls: Json): ModelToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call) =>
    isJsonObject(call) && typeof call.name === "string"
      ? [
          {
            id: String(call.id ?? ""),
            name: call.name,
            arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {}),
          },
        ]
      : [],
  );
}

const unreadable = (why: string) =>
  new AppError("invalid", `A hook made of the request to the model what is no request: ${why}. Correct the hooks before the model.`);
