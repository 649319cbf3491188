import type { JsonObject } from "@/contracts/common";

/** A message of a model's conversation, without any provider's form. */
export type ModelMessage =
  | { role: "user"; parts: readonly ModelPart[] }
  | {
      role: "assistant";
      text: string;
      /** Thinking, when the provider shows it. */
      reasoning: string;
      toolCalls: readonly ModelToolCall[];
      /** Data that the provider wants back unchanged with the next request, such as signatures of its thinking. */
      providerData: JsonObject | null;
    }
  | { role: "tool"; callId: string; name: string; parts: readonly ModelPart[]; isError: boolean };

export type ModelPart = { type: "text"; text: string } | { type: "image"; mediaType: string; data: Uint8Array };

/** A call as the model wrote it: the arguments may be no JSON at all, which the pipeline explains to the model. */
export type ModelToolCall = { id: string; name: string; arguments: string };

export type ModelTool = { name: string; description: string; inputSchema: JsonObject };

/** A tool that a provider runs itself, when it has one of this kind; `options` are validated by the contract. */
export type NativeTool = {
  kind: "image_generation" | "web_search" | "code_execution";
  name: string;
  options: Readonly<Record<string, unknown>>;
};

/** A file that a provider's own tool or the model itself made. */
export type ModelFile = { mediaType: string; data: Uint8Array };

/** A model of a registered provider. */
export type ModelRef = { providerId: string; model: string };

export type ModelRequest = {
  workspaceId: string;
  /** In the order in which they are tried: the first is asked, the next when one cannot answer. */
  models: readonly ModelRef[];
  instructions: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** Tools of the provider itself; one that a provider does not have is left out. */
  nativeTools?: readonly NativeTool[];
  settings: { temperature?: number; maxOutputTokens?: number };
  signal: AbortSignal;
  /** Called when a model of the chain begins to answer, because an answer that breaks off names its model nowhere else. */
  onBegin?: (model: ModelRef) => void;
};

export type ModelUsage = { inputTokens: number; cachedInputTokens: number; outputTokens: number };

/** One piece of a model's answer as it arrives. A `call` is complete, and counts; the last event is `finished`. */
export type ModelEvent =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  /** All text of this answer so far was thinking: a model that begins to think without a mark marks the end only. */
  | { kind: "text_was_reasoning" }
  /** A call that is being written: `name` at its beginning, then its arguments in pieces. The whole call follows as `call`. */
  | { kind: "call_text"; id: string; name: string; text: string }
  | { kind: "call"; call: ModelToolCall }
  | {
      kind: "finished";
      reason: "stop" | "tool_calls" | "length" | "content_filter" | "other";
      /** Null when the provider sent none, which is not the same as nothing. */
      usage: ModelUsage | null;
      /** Files that came with the answer; absent without any. */
      files?: readonly ModelFile[];
      /** The model that answered. */
      model: ModelRef;
      providerData: JsonObject | null;
    };

/** Asks a model for one step. @throws AppError `unavailable` when no model of the chain can answer, with the reason of each */
export type AskModel = (request: ModelRequest) => AsyncIterable<ModelEvent>;
