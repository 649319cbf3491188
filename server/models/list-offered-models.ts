import "server-only";
import { z } from "zod";
import type { ModelAccess, ModelList, OfferedModel, ProviderKind } from "@/contracts/models/models";
import type { Authorized } from "@/server/auth/actor";
import type { HttpAnswer } from "@/server/capabilities/network/http";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findProvider } from "./find-provider";
import type { ProviderAccess } from "./make-language-model";
import { draftAccess, storedAccess } from "./provider-access";
import { providerHttp } from "./provider-fetch";

type Writer = Authorized<"models:write">;

const maxListBytes = 8 * 1_048_576;
const maxModels = 2_000;
const listLimitMs = 10_000;

/** Lists the models that a stored provider offers now. @throws AppError `unavailable` with the reason */
export async function listModelsOf(actor: Writer, id: string, signal: AbortSignal): Promise<ModelList> {
  return { items: await fetchModels(storedAccess(await findProvider(db(), actor.workspaceId, id)), signal) };
}

/** Lists the models that an unsaved provider offers. @throws AppError `unavailable` with the reason */
export async function listDraftModels(actor: Writer, draft: ModelAccess, signal: AbortSignal): Promise<ModelList> {
  return { items: await fetchModels(await draftAccess(actor.workspaceId, draft), signal) };
}

/** Asks a provider for its models. @throws AppError `unavailable` with the reason */
export async function fetchModels(access: ProviderAccess, caller: AbortSignal, limitMs = listLimitMs): Promise<OfferedModel[]> {
  const { name, kind, baseUrl, key } = access;
  const limit = AbortSignal.timeout(limitMs);
  const { query, headers, read } = protocols[kind];
  const answer = await providerHttp(baseUrl)
    .fetch(`${baseUrl.replace(/\/+$/, "")}/models${query}`, {
      method: "GET",
      ownHeaders: { accept: "application/json", ...(key === null ? {} : headers(key)) },
      signal: AbortSignal.any([caller, limit]),
      maxBytes: maxListBytes,
    })
    .catch((error: unknown) => {
      caller.throwIfAborted();
      throw limit.aborted ? new AppError("unavailable", `${name} did not list its models within ${limitMs / 1_000} s.`) : error;
    });
  if (answer.status !== 200) throw refused(answer, access);
  const models = answer.truncated ? null : read(parsed(answer.bytes));
  if (!models) throw new AppError("unavailable", `${name} has no list of models that can be read. Type the model's name.`);
  return models.slice(0, maxModels);
}

type ListProtocol = {
  query: string;
  headers: (key: string) => Record<string, string>;
  /** Returns null for a document of another form. */
  read: (document: unknown) => OfferedModel[] | null;
};

const protocols: Record<ProviderKind, ListProtocol> = {
  openai_compatible: { query: "", headers: (key) => ({ authorization: `Bearer ${key}` }), read: readList },
  openai_responses: { query: "", headers: (key) => ({ authorization: `Bearer ${key}` }), read: readList },
  anthropic: { query: "?limit=1000", headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }), read: readList },
  google: { query: "?pageSize=1000", headers: (key) => ({ "x-goog-api-key": key }), read: readGoogleList },
};

/** OpenRouter tells prices, in dollars per token. */
const Pricing = z.object({ prompt: z.string(), completion: z.string(), input_cache_read: z.string().optional() });
const List = z.object({ data: z.array(z.looseObject({ id: z.string().min(1).max(200) })) });
const GoogleList = z.object({
  models: z.array(z.object({ name: z.string().min(1), supportedGenerationMethods: z.array(z.string()).default([]) })),
});

function readList(document: unknown): OfferedModel[] | null {
  const list = List.safeParse(document);
  if (!list.success) return null;
  return list.data.data.map(({ id, pricing }) => {
    const price = Pricing.safeParse(pricing).data;
    return {
      name: id,
      inputPrice: toMillion(price?.prompt),
      cachedInputPrice: toMillion(price?.input_cache_read),
      outputPrice: toMillion(price?.completion),
    };
  });
}

function readGoogleList(document: unknown): OfferedModel[] | null {
  const list = GoogleList.safeParse(document);
  if (!list.success) return null;
  return list.data.models
    .filter(({ supportedGenerationMethods }) => supportedGenerationMethods.includes("generateContent"))
    .map(({ name }) => ({ name: name.replace(/^models\//, ""), inputPrice: null, cachedInputPrice: null, outputPrice: null }));
}

/** Dollars per million tokens, rounded, because 0.00000025 times a million is not 0.25 in binary. */
function toMillion(perToken: string | undefined): number | null {
  const price = Number(perToken ?? Number.NaN) * 1_000_000;
  return Number.isFinite(price) && price >= 0 && price <= 100_000 ? Number(price.toFixed(6)) : null;
}

function refused({ status }: HttpAnswer, { name }: ProviderAccess): AppError {
  if (status === 401 || status === 403) return new AppError("unavailable", `${name} refuses the key. Enter a valid key.`);
  if (status === 404 || status === 405)
    return new AppError("unavailable", `${name} has no list of models at this base URL. Check the base URL, or type the model's name.`);
  if (status >= 300 && status < 400)
    return new AppError(
      "unavailable",
      `${name} redirects to another address. Enter the final base URL, because keys never follow redirects.`,
    );
  return new AppError("unavailable", `${name} did not list its models (HTTP ${status}). Type the model's name, or try again later.`);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
}
