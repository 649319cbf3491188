import "server-only";
import type { EmbeddingModelV4, LanguageModelV4, TranscriptionModelV4 } from "@ai-sdk/provider";
import type { ProviderKind } from "@/contracts/models/models";
import { providerFetch } from "./provider-fetch";

/** Address and credentials of a provider; the key is plain. */
export type ProviderAccess = { name: string; kind: ProviderKind; baseUrl: string; key: string | null };

const commonOf = ({ baseUrl }: ProviderAccess) => ({ baseURL: baseUrl.replace(/\/+$/, ""), fetch: providerFetch(baseUrl) });

/** Returns a model of a provider for embeddings; null for a provider that has none. */
export async function makeEmbeddingModel(access: ProviderAccess, model: string): Promise<EmbeddingModelV4 | null> {
  const { kind, key } = access;
  const common = commonOf(access);
  switch (kind) {
    case "openai_compatible":
    case "openai_responses": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ ...common, name: "handrail", ...(key ? { apiKey: key } : {}) }).embeddingModel(model);
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ ...common, apiKey: key ?? "" }).embeddingModel(model);
    }
    case "anthropic":
      return null;
  }
}

export const embedsTexts = (kind: ProviderKind): boolean => kind !== "anthropic";
export const writesDownSpeech = (kind: ProviderKind): boolean => kind === "openai_compatible" || kind === "openai_responses";

/** Returns a model of a provider that writes down speech; null for a provider that has none. */
export async function makeSpeechReader(access: ProviderAccess, model: string): Promise<TranscriptionModelV4 | null> {
  if (!writesDownSpeech(access.kind)) return null;
  const { createOpenAI } = await import("@ai-sdk/openai");
  return createOpenAI({ ...commonOf(access), apiKey: access.key ?? "" }).transcription(model);
}

/** Returns a model of a provider. The SDKs are loaded late, because a process without models never needs them. */
export async function makeLanguageModel(access: ProviderAccess, model: string): Promise<LanguageModelV4> {
  const { kind, baseUrl, key } = access;
  // An absent key would make the SDKs look for one in the environment.
  const common = commonOf(access);
  switch (kind) {
    case "openai_compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const provider = createOpenAICompatible({
        ...common,
        name: "handrail",
        includeUsage: true,
        ...(key ? { apiKey: key } : {}),
        transformRequestBody: (body) => (isOpenAi(baseUrl) ? withNewTokenLimit(body) : body),
      });
      return provider.chatModel(model);
    }
    case "openai_responses": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...common, apiKey: key ?? "" }).responses(model);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...common, apiKey: key ?? "" })(model);
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ ...common, apiKey: key ?? "" })(model);
    }
  }
}

const isOpenAi = (baseUrl: string) => new URL(baseUrl).hostname === "api.openai.com";

/** OpenAI's reasoning models refuse `max_tokens`, and other servers do not know its new name. */
function withNewTokenLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}
