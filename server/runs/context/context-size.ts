import type { RunMessageContent } from "@/db/schema";
import type { ModelTool } from "@/server/models/model-request";
import type { History, HistoryMessage } from "./history";
import { maxImages } from "./message-images";

/** Tokens of an image whose size is not known. */
export const unknownImageTokens = 1_600;
/** Bytes of text a token, on the average of languages and code. */
const bytesPerToken = 3.5;

const sizes = new WeakMap<RunMessageContent, number>();

export const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken);

/** Estimates the tokens of a message without its images. */
export function messageTokens({ content }: Pick<HistoryMessage, "content">): number {
  const known = sizes.get(content);
  if (known !== undefined) return known;
  const calls = content.toolCalls ?? [];
  const tokens =
    4 + textTokens(content.text) + calls.reduce((sum, { name, arguments: args }) => sum + 8 + textTokens(name) + textTokens(args), 0);
  sizes.set(content, tokens);
  return tokens;
}

/** Estimates the tokens of the images that a request shows: the latest ones, by their pixels. */
export function imageTokens(messages: readonly Pick<HistoryMessage, "content">[]): number {
  const shown = messages.flatMap(({ content }) => content.images ?? []).slice(-maxImages);
  return shown.reduce((sum, { tokens = unknownImageTokens }) => sum + tokens, 0);
}

type Prompt = { instructions: string; tools: readonly ModelTool[] };

/**
 * Estimates the size of the next request. The provider's own count of the last request is used where there is one, and only what was added
 * since is estimated. Half of the whole estimate is the least, because some servers count wrongly.
 */
export function contextTokens({ summary, messages }: History<HistoryMessage>, { instructions, tools }: Prompt): number {
  const prompt = textTokens(instructions) + tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
  const estimated = prompt + (summary ? messageTokens(summary) : 0) + tokensOf(messages);
  const place = messages.findLastIndex((message) => isCounted(message, summary));
  const usage = messages[place]?.usage;
  if (!usage) return estimated;
  return Math.max(usage.inputTokens + usage.outputTokens + tokensOf(messages.slice(place + 1)), estimated / 2);
}

const tokensOf = (messages: readonly HistoryMessage[]): number =>
  messages.reduce((sum, message) => sum + messageTokens(message), 0) + imageTokens(messages);

/** A reply to a request with the same summary counts everything in front of it. */
function isCounted({ role, usage, runId, position }: HistoryMessage, summary: HistoryMessage | null): boolean {
  if (role !== "assistant" || !usage || usage.inputTokens === 0 || usage.isEstimated) return false;
  return !summary || (runId === summary.runId ? position > summary.position : runId > summary.runId);
}

const toolSizes = new WeakMap<ModelTool, number>();

function toolTokens(tool: ModelTool): number {
  const known = toolSizes.get(tool);
  if (known !== undefined) return known;
  const tokens = textTokens(JSON.stringify(tool));
  toolSizes.set(tool, tokens);
  return tokens;
}
