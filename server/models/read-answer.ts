import "server-only";
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { fileOf, imageOfResult, maxFiles } from "./answer-files";
import type { ModelEvent, ModelFile, ModelRef, ModelToolCall, ModelUsage } from "./model-request";
import { type AnswerPart, addMetadata, toProviderData } from "./provider-data";

/** An answer that breaks off or reports its own failure. */
export class BrokenAnswer extends Error {
  constructor(readonly reported: unknown) {
    super("The answer broke off");
  }
}

/**
 * Reads the stream of one answer. Calls are passed on at its end, because a cut stream leaves half of one.
 * @throws BrokenAnswer when the stream reports an error or ends too early
 */
export async function* readAnswer(stream: ReadableStream<LanguageModelV4StreamPart>, ref: ModelRef): AsyncGenerator<ModelEvent> {
  const calls: ModelToolCall[] = [];
  const parts: AnswerPart[] = [];
  const files: ModelFile[] = [];
  const open = new Map<string, AnswerPart>();
  /** Names of calls that are being written, by id. */
  const writing = new Map<string, string>();
  const partOf = (type: "reasoning" | "text", id: string): AnswerPart => {
    const key = `${type} ${id}`;
    const known = open.get(key);
    if (known) return known;
    const part: AnswerPart = type === "reasoning" ? { type, text: "" } : { type };
    parts.push(part);
    open.set(key, part);
    return part;
  };

  for await (const part of stream) {
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
        addMetadata(partOf("text", part.id), part.providerMetadata);
        if (part.type === "text-end") open.delete(`text ${part.id}`);
        if (part.type === "text-delta" && part.delta) yield { kind: "text", text: part.delta };
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end": {
        const block = partOf("reasoning", part.id);
        addMetadata(block, part.providerMetadata);
        if (part.type === "reasoning-end") open.delete(`reasoning ${part.id}`);
        if (part.type !== "reasoning-delta" || !part.delta) break;
        if (block.type === "reasoning") block.text += part.delta;
        yield { kind: "reasoning", text: part.delta };
        break;
      }
      case "tool-input-start":
        if (part.providerExecuted) break;
        writing.set(part.id, part.toolName);
        yield { kind: "call_text", id: part.id, name: part.toolName, text: "" };
        break;
      case "tool-input-delta": {
        const name = writing.get(part.id);
        if (name !== undefined && part.delta) yield { kind: "call_text", id: part.id, name, text: part.delta };
        break;
      }
      case "tool-call": {
        // A provider's own tool has run already, so the pipeline must not run it again.
        if (part.providerExecuted) break;
        const called: AnswerPart = { type: "call", id: part.toolCallId };
        addMetadata(called, part.providerMetadata);
        parts.push(called);
        calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input.trim() === "" ? "{}" : part.input });
        break;
      }
      case "tool-result":
      case "file": {
        const file = part.type === "file" ? fileOf(part) : imageOfResult(part);
        if (file && files.length < maxFiles) files.push(file);
        break;
      }
      case "error":
        throw new BrokenAnswer(part.error);
      case "finish": {
        const reason = toReason(part.finishReason.unified, calls.length > 0);
        for (const call of calls) yield { kind: "call", call };
        yield {
          kind: "finished",
          reason,
          usage: toUsage(part.usage),
          ...(files.length > 0 ? { files } : {}),
          model: ref,
          providerData: toProviderData(ref, parts),
        };
        return;
      }
    }
  }
  throw new BrokenAnswer(null);
}

type Reason = Extract<ModelEvent, { kind: "finished" }>["reason"];

/** Some servers say `stop` after calls, so calls decide. @throws BrokenAnswer for an answer without its end */
function toReason(reason: LanguageModelV4FinishReason["unified"], hasCalls: boolean): Reason {
  switch (reason) {
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    case "tool-calls":
      return hasCalls ? "tool_calls" : "stop";
    case "stop":
      return hasCalls ? "tool_calls" : "stop";
    case "other":
      return hasCalls ? "tool_calls" : "other";
    case "error":
    case "interrupted":
      throw new BrokenAnswer(null);
  }
}

/** A request has at least one token, so zero tokens of input are a server that does not count. */
function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage | null {
  if (!inputTokens.total || outputTokens.total === undefined) return null;
  return { inputTokens: inputTokens.total, cachedInputTokens: inputTokens.cacheRead ?? 0, outputTokens: outputTokens.total };
}
