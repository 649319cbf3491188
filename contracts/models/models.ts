import { z } from "zod";
import { Empty, Id, listOf, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const providerKinds = ["openai_compatible", "openai_responses", "anthropic", "google"] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** No workspace needs more, and the fallback chain is one list. */
export const maxProviders = 50;

/** `auto`: tools in the provider's form, and calls that the model writes as text are read as well. `text`: always as text. */
export const toolCallModes = ["auto", "native", "text"] as const;
export type ToolCallMode = (typeof toolCallModes)[number];

const price = z.number().min(0, "cannot be negative").max(100_000).nullable().default(null);
const ModelName = z.string().trim().min(1, "needs a name").max(200, "at most 200 characters");

/** A model that turns texts into vectors, so that they can be compared by meaning. */
export const NamedModel = z.strictObject({ providerId: Id, model: ModelName.describe("The provider's name of the model.") });
export type NamedModel = z.infer<typeof NamedModel>;

/** Without a name in the OpenAPI document, because what is sent may lack prices and what is answered may not. */
export const OfferedModel = z.strictObject({
  name: ModelName.describe("The provider's name of the model."),
  inputPrice: price.describe("US dollars per million input tokens; `null` when unknown."),
  cachedInputPrice: price.describe("US dollars per million input tokens from the provider's cache; `null`: the input price."),
  outputPrice: price.describe("US dollars per million output tokens; `null` when unknown."),
  contextTokens: z
    .int()
    .min(2_000)
    .max(10_000_000)
    .nullable()
    .optional()
    .describe("Size of the model's context. Conversations are summarised before they reach it; `null` when unknown."),
  toolCalls: z
    .enum(toolCallModes)
    .optional()
    .describe(
      "How the model calls tools. `native`: in the provider's form only. `text`: written in its reply. Absent or `auto`: both are read.",
    ),
});
export type OfferedModel = z.infer<typeof OfferedModel>;

/** Address under which the provider's API answers: http or https, without credentials. */
const BaseUrl = z
  .string()
  .trim()
  .max(500, "at most 500 characters")
  .refine((text) => /^https?:\/\/[^?#\s]+$/i.test(text) && URL.canParse(text), "must be an address such as https://api.openai.com/v1")
  .refine((text) => !text.split("/")[2]?.includes("@"), "must not hold a user name or password: use the key")
  .describe("For example `https://api.openai.com/v1`. It may be a private address. Redirects are not followed.");

const Key = z
  .string()
  .trim()
  .min(1, "needs a value")
  .max(8_000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters end a header
  .regex(/^[^\u0000-\u001f\u007f-\uffff]*$/, "contains a character that cannot be sent");

const name = z.string().trim().min(1, "needs a name").max(100, "at most 100 characters");
const models = z
  .array(OfferedModel)
  .max(100, "at most 100 models")
  .refine((list) => new Set(list.map((model) => model.name)).size === list.length, "names a model twice")
  .describe("In order of preference: the first is the provider's default.");

const example = {
  name: "OpenAI",
  kind: "openai_compatible",
  baseUrl: "https://api.openai.com/v1",
  key: "your-key-here",
  models: [{ name: "gpt-5-mini", inputPrice: 0.25, cachedInputPrice: 0.025, outputPrice: 2 }],
} as const;

export const ModelProviderDraft = z
  .strictObject({
    name,
    kind: z.enum(providerKinds),
    baseUrl: BaseUrl,
    key: Key.nullable()
      .optional()
      .describe(
        "Stored encrypted and never answered. Absent in a change: the stored key stays, unless the origin changes. `null`: no key.",
      ),
    enabled: z.boolean().default(true).describe("Disabled providers are never asked."),
    models: models.default([]),
  })
  .meta({ examples: [example] });
export type ModelProviderDraft = z.infer<typeof ModelProviderDraft>;

export const ModelProvider = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(providerKinds),
    baseUrl: z.string(),
    maskedKey: z.string().nullable().describe("The key's last four characters; `null` without a key."),
    enabled: z.boolean(),
    models: z.array(OfferedModel),
    position: z.number().int().describe("Place in the fallback chain, from 0."),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "ModelProvider" });
export type ModelProvider = z.infer<typeof ModelProvider>;

/** Access to a provider that is not saved, or not saved yet. */
const access = {
  kind: z.enum(providerKinds),
  baseUrl: BaseUrl,
  key: Key.nullable().optional(),
  providerId: Id.optional().describe("Without `key`, the stored key of this provider is used, at its own origin only."),
};

export const ModelAccess = z.strictObject(access).meta({ examples: [{ kind: "openai_compatible", baseUrl: "http://127.0.0.1:11434/v1" }] });
export type ModelAccess = z.infer<typeof ModelAccess>;

export const ModelProbe = z
  .strictObject({ ...access, model: ModelName })
  .meta({ examples: [{ kind: "openai_compatible", baseUrl: "http://127.0.0.1:11434/v1", model: "qwen3:8b" }] });
export type ModelProbe = z.infer<typeof ModelProbe>;

export const ModelTest = z
  .object({
    succeeded: z.boolean(),
    error: z.string().nullable().describe("Why there is no answer, and what to do; `null` after a success."),
    text: z.string().describe("First words of the answer."),
    firstWordMs: z.number().int().nullable().describe("Milliseconds until the first word."),
    durationMs: z.number().int(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
  })
  .meta({ id: "ModelTest" });
export type ModelTest = z.infer<typeof ModelTest>;

export const ModelList = z
  .object({ items: z.array(OfferedModel).describe("With prices where the provider tells them.") })
  .meta({ id: "ModelList" });
export type ModelList = z.infer<typeof ModelList>;

export const localServerKinds = ["ollama", "llama_cpp", "lm_studio", "vllm"] as const;
export type LocalServerKind = (typeof localServerKinds)[number];

export const LocalModelServer = z
  .object({
    server: z.enum(localServerKinds),
    name: z.string(),
    baseUrl: z.string(),
    models: z.array(z.string()),
    providerId: Id.nullable().describe("The provider that is registered for it; `null` when there is none."),
  })
  .meta({ id: "LocalModelServer" });
export type LocalModelServer = z.infer<typeof LocalModelServer>;

const params = z.object({ id: Id });

export const modelEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/model-providers",
    summary: "Model providers in the order of the fallback chain, without their keys",
    permission: "models:read",
    response: listOf(ModelProvider),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/model-providers",
    summary: "Add a model provider at the end of the fallback chain",
    permission: "models:write",
    body: ModelProviderDraft,
    response: ModelProvider,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/model-providers/{id}",
    summary: "One model provider, without its key",
    permission: "models:read",
    params,
    response: ModelProvider,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/model-providers/{id}",
    summary: "Replace a model provider; without `key` the stored one stays, and another origin needs it again",
    headers: ["If-Match"],
    permission: "models:write",
    params,
    body: ModelProviderDraft,
    response: ModelProvider,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/model-providers/{id}",
    summary: "Remove a model provider and its key",
    headers: ["If-Match"],
    permission: "models:write",
    params,
    response: Empty,
  }),
  order: endpoint({
    method: "POST",
    path: "/api/v1/model-providers/order",
    summary: "Set the fallback chain: the first provider is asked first",
    permission: "models:write",
    body: z.strictObject({ ids: z.array(Id).min(1).max(maxProviders) }),
    response: listOf(ModelProvider),
  }),
  listModels: endpoint({
    method: "GET",
    path: "/api/v1/model-providers/{id}/models",
    summary: "Models that a provider offers now, asked from the provider",
    permission: "models:write",
    params,
    response: ModelList,
  }),
  listDraftModels: endpoint({
    method: "POST",
    path: "/api/v1/model-providers/models",
    summary: "Models that an unsaved provider offers",
    permission: "models:write",
    body: ModelAccess,
    response: ModelList,
  }),
  test: endpoint({
    method: "POST",
    path: "/api/v1/model-providers/{id}/test",
    summary: "Ask a model of a provider for one word, and answer what came of it",
    permission: "models:write",
    params,
    body: z.strictObject({ model: ModelName }).meta({ examples: [{ model: "qwen3:8b" }] }),
    response: ModelTest,
  }),
  testDraft: endpoint({
    method: "POST",
    path: "/api/v1/model-providers/test",
    summary: "Ask a model of an unsaved provider for one word",
    permission: "models:write",
    body: ModelProbe,
    response: ModelTest,
  }),
  listLocal: endpoint({
    method: "GET",
    path: "/api/v1/model-providers/local",
    summary: "Ollama, llama.cpp, LM Studio and vLLM servers on this machine, at their usual ports",
    permission: "models:write",
    response: z.object({ items: z.array(LocalModelServer) }),
  }),
};

export const modelContract = defineContract({
  reference: { name: "Models", description: "Providers of language models, with their keys, prices and fallback chain." },
  glossary: {
    "model provider": "A service or a local server that answers requests to language models, with its key, models and prices.",
  },
  endpoints: modelEndpoints,
  permissions: { "models:read": "See model providers, without their keys", "models:write": "Add, change and test model providers" },
  roles: { approver: ["models:read"], viewer: ["models:read"] },
  implies: { "models:write": ["models:read"] },
  audit: {
    "model_provider.created": "Model provider created",
    "model_provider.updated": "Model provider updated",
    "model_provider.removed": "Model provider removed",
    "model_providers.reordered": "Fallback chain of models changed",
  },
});
