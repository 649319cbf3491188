import "server-only";
import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ProviderKind } from "@/contracts/models/models";
import type { ModelMessage, ModelPart, ModelRef, ModelRequest, ModelToolCall } from "./model-request";
import { type AnswerPart, readProviderData } from "./provider-data";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type UserContent = Extract<LanguageModelV4Message, { role: "user" }>["content"];
type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type ToolContent = Extract<LanguageModelV4Message, { role: "tool" }>["content"];
type Target = { kind: ProviderKind; ref: ModelRef };

/** Anthropic stores the prompt up to this mark and reads it cheaply with the next step. */
const cached: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** Converts a request to the prompt of one provider. */
export function toPrompt(
  { instructions, messages }: Pick<ModelRequest, "instructions" | "messages">,
  target: Target,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = instructions ? [{ role: "system", content: instructions, providerOptions: cached }] : [];
  const lastQuestion = messages.findLastIndex(({ role }) => role === "user");
  let results: ToolMessage[] = [];
  const flushResults = () => {
    if (results.length > 0) prompt.push(...keptResults(results, target.kind));
    results = [];
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      results.push(message);
      continue;
    }
    flushResults();
    if (message.role === "user") prompt.push({ role: "user", content: message.parts.map(toPromptPart) });
    else {
      const content = keptContent(message, target, index > lastQuestion);
      if (content.length > 0) prompt.push({ role: "assistant", content });
    }
  }
  flushResults();
  const last = prompt.at(-1);
  // A copy, because converted messages are kept for the next step.
  if (last && last.role !== "system") prompt[prompt.length - 1] = { ...last, providerOptions: cached };
  return prompt;
}

/** Converted messages, because every step of a run sends the same history again. */
const contents = new WeakMap<AssistantMessage, Map<string, AssistantContent>>();
const resultGroups = new WeakMap<
  ToolMessage,
  { kind: ProviderKind; results: readonly ToolMessage[]; messages: LanguageModelV4Message[] }
>();

function keptContent(message: AssistantMessage, target: Target, isOpenStep: boolean): AssistantContent {
  const key = `${target.kind} ${target.ref.providerId} ${target.ref.model} ${isOpenStep}`;
  const byTarget = contents.get(message) ?? new Map<string, AssistantContent>();
  const content = byTarget.get(key) ?? toAssistantContent(message, target, isOpenStep);
  byTarget.set(key, content);
  contents.set(message, byTarget);
  return content;
}

function keptResults(results: readonly ToolMessage[], kind: ProviderKind): LanguageModelV4Message[] {
  const [first] = results;
  if (!first) return [];
  const known = resultGroups.get(first);
  const isSame =
    known?.kind === kind && known.results.length === results.length && known.results.every((result, at) => result === results[at]);
  if (known && isSame) return known.messages;
  const messages = toToolMessages(results, kind);
  resultGroups.set(first, { kind, results, messages });
  return messages;
}

function toPromptPart(part: ModelPart): UserContent[number] {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } };
}

/**
 * Results of neighbouring calls become one message, because providers expect the results of one reply together.
 * Chat-completions servers accept text only, so images follow as a message of the user.
 */
function toToolMessages(results: readonly ToolMessage[], kind: ProviderKind): LanguageModelV4Message[] {
  const takesImages = kind !== "openai_compatible";
  const images = takesImages ? [] : results.flatMap(imagesOf);
  const content = results.map((result): ToolContent[number] => ({
    type: "tool-result",
    toolCallId: result.callId,
    toolName: result.name,
    output: toOutput(result, takesImages),
  }));
  return [{ role: "tool", content }, ...(images.length > 0 ? [{ role: "user" as const, content: images }] : [])];
}

function toOutput({ parts, isError }: ToolMessage, takesImages: boolean): Extract<ToolContent[number], { type: "tool-result" }>["output"] {
  const hasImages = parts.some(({ type }) => type === "image");
  if (hasImages && takesImages && !isError)
    return {
      type: "content",
      value: parts.map((part) =>
        part.type === "text"
          ? { type: "text", text: part.text }
          : { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } },
      ),
    };
  const text = parts.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
  return { type: isError ? "error-text" : "text", value: text };
}

function imagesOf({ name, callId, parts }: ToolMessage): UserContent {
  const images = parts.filter(({ type }) => type === "image");
  return images.length === 0 ? [] : [{ type: "text", text: `Images of the result of ${name} (${callId}):` }, ...images.map(toPromptPart)];
}

/** The parts of a reply in the provider's order, with its signatures when the same model is asked again. */
function toAssistantContent(message: AssistantMessage, { kind, ref }: Target, isOpenStep: boolean): AssistantContent {
  const own = readProviderData(message.providerData, ref);
  // Chat-completions servers want their thinking back during one answer, and some refuse it later.
  const keepsReasoning = kind !== "openai_compatible" || isOpenStep;
  const parts = own ?? [];
  const calls = new Map(message.toolCalls.map((call) => [call.id, call]));
  const content: AssistantContent = [];
  let textIsOpen = message.text !== "";
  for (const part of parts) {
    if (part.type === "reasoning" && keepsReasoning) content.push({ type: "reasoning", text: part.text, ...optionsOf(part) });
    if (part.type === "text" && textIsOpen) {
      content.push({ type: "text", text: message.text, ...optionsOf(part) });
      textIsOpen = false;
    }
    const call = part.type === "call" ? calls.get(part.id) : undefined;
    if (call) {
      if (textIsOpen) content.push({ type: "text", text: message.text });
      textIsOpen = false;
      content.push({ ...toCallPart(call), ...optionsOf(part) });
      calls.delete(call.id);
    }
  }
  if (textIsOpen) content.push({ type: "text", text: message.text });
  content.push(...[...calls.values()].map(toCallPart));
  return content;
}

const optionsOf = ({ metadata }: AnswerPart): { providerOptions?: SharedV4ProviderOptions } =>
  metadata ? { providerOptions: metadata as SharedV4ProviderOptions } : {};

/** Providers accept objects only, so malformed arguments go back inside one: the model then sees its mistake. */
function toCallPart({ id, name, arguments: text }: ModelToolCall) {
  return { type: "tool-call" as const, toolCallId: id, toolName: name, input: parsedObject(text) ?? { malformed_arguments: text } };
}

function parsedObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
