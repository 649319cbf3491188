import type { ModelMessage, ModelRequest, ModelTool, ModelUsage } from "@/server/models/model-request";
import { countTokens } from "@/server/tools/disclosure/count-tokens";
import { textTokens, unknownImageTokens } from "./context/context-size";

/** The usage of a request; `isEstimated`: the provider sent none, so we counted. */
export type CountedUsage = ModelUsage & { isEstimated: boolean };

type Written = { text: string; reasoning: string; calls: readonly { name: string; arguments: string }[] };

/** The tokenizer needs much time for one long word, so a text is counted in pieces, and a longer one by its bytes. */
const pieceLength = 2_000;
const maxCountedChars = 200_000;

function tokensOf(text: string): number {
  if (text.length > maxCountedChars) return textTokens(text);
  let tokens = 0;
  for (let start = 0; start < text.length; start += pieceLength) tokens += countTokens(text.slice(start, start + pieceLength));
  return tokens;
}

const counted = new WeakMap<ModelMessage | ModelTool, number>();

function remembered<Counted extends ModelMessage | ModelTool>(item: Counted, count: (item: Counted) => number): number {
  const tokens = counted.get(item) ?? count(item);
  counted.set(item, tokens);
  return tokens;
}

function messageTokens(message: ModelMessage): number {
  if (message.role === "assistant") {
    const calls = message.toolCalls.reduce((sum, call) => sum + tokensOf(call.name) + tokensOf(call.arguments), 0);
    return tokensOf(message.text) + calls;
  }
  return message.parts.reduce((sum, part) => sum + (part.type === "text" ? tokensOf(part.text) : unknownImageTokens), 0);
}

/** Counts the tokens of a request and of what the model wrote, for a provider that sends no usage or a reply that broke off. */
export function estimateUsage(
  { instructions, messages, tools }: Pick<ModelRequest, "instructions" | "messages" | "tools">,
  { text, reasoning, calls }: Written,
): CountedUsage {
  const inputTokens =
    tokensOf(instructions) +
    messages.reduce((sum, message) => sum + remembered(message, messageTokens), 0) +
    tools.reduce((sum, tool) => sum + remembered(tool, (one) => tokensOf(JSON.stringify(one))), 0);
  const outputTokens =
    tokensOf(text) + tokensOf(reasoning) + calls.reduce((sum, call) => sum + tokensOf(call.name) + tokensOf(call.arguments), 0);
  return { inputTokens, cachedInputTokens: 0, outputTokens, isEstimated: true };
}
