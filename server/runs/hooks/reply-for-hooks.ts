import type { JsonObject } from "@/contracts/common";
import type { Reply } from "../ask-again";
import { callsForHooks, callsFromHooks } from "./request-for-hooks";

/** Returns a reply as hooks see it: `{ content, reasoning?, tool_calls?, model, finish_reason, usage }`. */
export function replyForHooks({ text, reasoning, toolCalls, finished }: Reply): JsonObject {
  const { inputTokens, cachedInputTokens, outputTokens } = finished.usage;
  return {
    content: text,
    ...(reasoning ? { reasoning } : {}),
    ...(toolCalls.length > 0 ? { tool_calls: callsForHooks(toolCalls) } : {}),
    model: finished.model.model,
    finish_reason: finished.reason,
    usage: { input_tokens: inputTokens, cached_input_tokens: cachedInputTokens, output_tokens: outputTokens },
  };
}

/** Reads a reply that hooks have changed, or one that a hook has kept or supplied. */
export function replyFromHooks(reply: JsonObject, { finished }: Pick<Reply, "finished">): Reply {
  const toolCalls = reply.tool_calls === undefined ? [] : callsFromHooks(reply.tool_calls);
  const { content, reasoning } = reply;
  return {
    text: typeof content === "string" ? content : content == null ? "" : JSON.stringify(content),
    reasoning: typeof reasoning === "string" ? reasoning : "",
    toolCalls,
    finished: { ...finished, reason: toolCalls.length > 0 ? "tool_calls" : finished.reason === "tool_calls" ? "stop" : finished.reason },
  };
}
