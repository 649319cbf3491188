import "server-only";
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { retry } from "@/server/platform/retry";
import { loadProvider } from "./load-provider";
import { makeEmbeddingModel, type ProviderAccess } from "./make-language-model";
import { ModelFault, toModelFault } from "./model-fault";
import type { ModelRef } from "./model-request";

/** Texts of one request, which is what local servers answer within seconds. */
const textsAtOnce = 64;
const firstPauseMs = 500;
const maxPauseMs = 4_000;

type Options = {
  signal: AbortSignal;
  /** Attempts of each request. */
  attempts?: number;
  /** Some models embed a request otherwise than the passages that answer it. */
  use: "passage" | "request";
};

/** Returns the embedding of each text by a model of a provider. @throws ModelFault */
export async function embedTexts(
  workspaceId: string,
  ref: ModelRef,
  texts: readonly string[],
  { signal, attempts = 3, use }: Options,
): Promise<number[][]> {
  const { access } = await loadProvider(workspaceId, ref);
  const model = await makeEmbeddingModel(access, ref.model);
  if (!model) throw new ModelFault(`${access.name} offers no embeddings. Choose a model of another provider.`, false);
  const atOnce = Math.min(textsAtOnce, (await model.maxEmbeddingsPerCall) ?? textsAtOnce);
  const found: number[][] = [];
  for (let from = 0; from < texts.length; from += atOnce) {
    const values = texts.slice(from, from + atOnce);
    const answered = await retry(() => askOnce(model, access, ref, values, use, signal), {
      ...{ attempts, firstPauseMs, maxPauseMs, signal },
      mayRecover: async (error) => error instanceof ModelFault && error.mayRecover,
    });
    found.push(...answered);
  }
  return found;
}

async function askOnce(
  model: EmbeddingModelV4,
  access: ProviderAccess,
  { model: name }: ModelRef,
  values: string[],
  use: Options["use"],
  abortSignal: AbortSignal,
): Promise<number[][]> {
  const taskType = use === "passage" ? "RETRIEVAL_DOCUMENT" : "RETRIEVAL_QUERY";
  const options = access.kind === "google" ? { providerOptions: { google: { taskType } } } : {};
  try {
    const { embeddings } = await model.doEmbed({ values, abortSignal, ...options });
    const isWhole = embeddings.length === values.length && embeddings.every((one) => one.length > 0 && one.every(Number.isFinite));
    if (!isWhole) throw new ModelFault(`${access.name} answered ${name} with embeddings that are not whole. Choose another model.`, false);
    return embeddings;
  } catch (error) {
    abortSignal.throwIfAborted();
    throw toModelFault(error, access, name);
  }
}
