import "server-only";
import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  ProtocolError,
  ProtocolErrorCode,
  type SamplingMessage,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { askModel } from "@/server/models/ask-model";
import { costOf, fallbackChain, findPrice } from "@/server/models/fallback-chain";
import type { ModelEvent, ModelMessage, ModelPart } from "@/server/models/model-request";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { makeRateLimit } from "@/server/platform/rate-limit";
import { cleanText } from "../text/clean-text";
import type { Sample } from "./running-calls";

/** A server in a loop must not spend a workspace's money, so each bound is far above what a tool needs. */
export const samplingLimits = { messages: 100, characters: 200_000, outputTokens: 4_096, seconds: 120, burst: 20, perMinute: 20 };

type Asker = { workspaceId: string; alias: string };
type Finished = Extract<ModelEvent, { kind: "finished" }>;

/** Makes the function that answers a server's sampling requests with the workspace's models, within limits, audited with their cost. */
export function sampleFor(asker: Asker): Sample {
  const { burst, perMinute, seconds } = samplingLimits;
  const pace = makeRateLimit({ burst, perSecond: perMinute / 60 });
  return async (params, { signal, conversationId }) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
    try {
      if (pace(1) > 0) throw refused(`This server asked models more than ${burst} times in a short while. Ask again in a minute.`);
      const { text, finished } = await answer(asker.workspaceId, params, limit);
      const price = await findPrice(asker.workspaceId, finished.model);
      await audit(asker, conversationId, {
        model: finished.model.model,
        reason: finished.reason,
        ...finished.usage,
        costUsd: finished.usage && costOf(finished.usage, price),
      });
      const stopReason = finished.reason === "length" ? "maxTokens" : "endTurn";
      return { role: "assistant", content: { type: "text", text }, model: finished.model.model, stopReason } satisfies CreateMessageResult;
    } catch (error) {
      const sentence = limit.aborted && !signal.aborted ? `No model answered within ${seconds} seconds.` : sentenceOf(error);
      await audit(asker, conversationId, { error: sentence });
      throw ProtocolError.isInstance(error) ? error : new ProtocolError(ProtocolErrorCode.InternalError, sentence);
    }
  };
}

async function answer(
  workspaceId: string,
  params: CreateMessageRequestParams,
  signal: AbortSignal,
): Promise<{ text: string; finished: Finished }> {
  const request = {
    workspaceId,
    models: await fallbackChain(workspaceId),
    instructions: cleanText(params.systemPrompt ?? "", samplingLimits.characters),
    messages: messagesOf(params),
    tools: [],
    settings: {
      maxOutputTokens: Math.min(Math.max(1, Math.floor(params.maxTokens)), samplingLimits.outputTokens),
      ...(params.temperature === undefined ? {} : { temperature: Math.min(2, Math.max(0, params.temperature)) }),
    },
    signal,
  };
  let text = "";
  for await (const event of askModel(request)) {
    if (event.kind === "finished") return { text, finished: event };
    if (event.kind === "text") text += event.text;
    else if (event.kind === "text_was_reasoning") text = "";
  }
  throw new Error("An answer ended without its last event");
}

/** @throws ProtocolError for a request that is too large, or that a text model cannot answer */
function messagesOf({ messages, tools, systemPrompt = "" }: CreateMessageRequestParams): ModelMessage[] {
  if (tools && tools.length > 0) throw refused("Handrail answers sampling without tools. Ask without tools.");
  if (messages.length === 0) throw refused("Send at least one message.");
  const characters = messages.reduce((sum, message) => sum + JSON.stringify(message).length, systemPrompt.length);
  if (messages.length > samplingLimits.messages || characters > samplingLimits.characters * 8) throw tooLarge();
  const converted = messages.map(toMessage);
  const words = converted.reduce((sum, message) => sum + lengthOf(message), systemPrompt.length);
  if (words > samplingLimits.characters) throw tooLarge();
  return converted;
}

function toMessage({ role, content }: SamplingMessage): ModelMessage {
  const parts = (Array.isArray(content) ? content : [content]).map((part): ModelPart => {
    if (part.type === "text") return { type: "text", text: cleanText(part.text, part.text.length) };
    if (part.type === "image") return { type: "image", mediaType: part.mimeType, data: Buffer.from(part.data, "base64") };
    throw refused(`Handrail answers sampling about texts and pictures, not ${String(part.type).slice(0, 40)}.`);
  });
  if (role !== "assistant") return { role: "user", parts };
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return { role, text, reasoning: "", toolCalls: [], providerData: null };
}

function lengthOf(message: ModelMessage): number {
  if (message.role === "assistant") return message.text.length;
  return message.parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
}

const refused = (sentence: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
const tooLarge = () =>
  refused(`A request may have ${samplingLimits.messages} messages and ${samplingLimits.characters} characters. Send less.`);

function sentenceOf(error: unknown): string {
  return ProtocolError.isInstance(error) || isAppError(error) ? error.message : "The model did not answer.";
}

function audit({ workspaceId, alias }: Asker, conversationId: string | null, data: JsonObject): Promise<void> {
  return record(db(), {
    workspaceId,
    event: "mcp_server.sampled",
    actor: systemActor,
    subject: alias,
    source: `mcp:${alias}`,
    conversationId,
    data,
  });
}
