import "server-only";
import { and, asc, eq, inArray } from "drizzle-orm";
import type { OfferedModel, ProviderKind } from "@/contracts/models/models";
import { defaultContextTokens, type RunLimits, type RunModel, type RunUsage } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { conversations, modelProviders } from "@/db/schema";
import { chainOf, costOf } from "@/server/models/fallback-chain";
import { enabledProviders } from "@/server/models/find-provider";
import { db } from "@/server/platform/database/database";
import type { CountedUsage } from "./estimate-usage";

/** Returns true when an agent runs by itself: it has models of its own, or the workspace has some. */
export async function hasModels(tx: Db, agent: { workspaceId: string; models: readonly RunModel[] }): Promise<boolean> {
  return (await chainOf(agent.workspaceId, agent.models, tx)).length > 0;
}

/** The models of an agent in the order in which a run tries them. One that was chosen for the conversation comes first. */
export async function modelsOfRun(
  { workspaceId, models }: { workspaceId: string; models: readonly RunModel[] },
  conversationId: string | undefined,
): Promise<RunModel[]> {
  const chain = await chainOf(workspaceId, models);
  if (!conversationId) return chain;
  const [found] = await db()
    .select({ model: conversations.model })
    .from(conversations)
    .where(and(eq(conversations.workspaceId, workspaceId), eq(conversations.id, conversationId)));
  const chosen = found?.model;
  return chosen ? [chosen, ...chain.filter((ref) => ref.providerId !== chosen.providerId || ref.model !== chosen.model)] : chain;
}

/** The providers of a chain by id: their protocols and prices. Removed providers are missing. */
export type ChainProviders = ReadonlyMap<string, { kind: ProviderKind; models: readonly OfferedModel[] }>;

export async function loadChainProviders(workspaceId: string, chain: readonly RunModel[]): Promise<ChainProviders> {
  if (chain.length === 0) return new Map();
  const ids = chain.map(({ providerId }) => providerId);
  const { id, kind, models } = modelProviders;
  const rows = await db()
    .select({ id, kind, models })
    .from(modelProviders)
    .where(and(eq(modelProviders.workspaceId, workspaceId), inArray(id, ids)));
  return new Map(rows.map(({ id, ...provider }) => [id, provider]));
}

/** Returns true when the cost of a model can be computed. */
export function hasPrices(providers: ChainProviders, ref: RunModel): boolean {
  const offered = findOffered(providers, ref);
  return offered !== undefined && offered.inputPrice !== null && offered.outputPrice !== null;
}

/** Adds the cost to the usage of one step; `null` when the model has no prices. */
export function withCost(providers: ChainProviders, ref: RunModel, usage: CountedUsage): RunUsage {
  return { ...usage, costUsd: costOf(usage, findOffered(providers, ref) ?? null) };
}

/** Share of a model's context that a request may fill; the rest is for its reply and for what estimates miss. */
const contextShare = 0.75;

/** Tokens above which a run's older messages are summarised: the agent's setting, or less for the smallest known context of its models. */
export function contextBudget(
  providers: ChainProviders,
  models: readonly RunModel[],
  { contextTokens = defaultContextTokens }: Partial<RunLimits>,
): number {
  const known = models.flatMap((model) => findOffered(providers, model)?.contextTokens ?? []);
  return Math.min(contextTokens, ...known.map((tokens) => Math.floor(tokens * contextShare)));
}

function findOffered(providers: ChainProviders, { providerId, model }: RunModel): OfferedModel | undefined {
  return providers.get(providerId)?.models.find(({ name }) => name === model);
}

/** Names of the models that the workspace's enabled providers offer, each once. */
export async function listModelNames(workspaceId: string): Promise<string[]> {
  const rows = await enabledProviders(db(), workspaceId);
  return [...new Set(rows.flatMap(({ models }) => models.map(({ name }) => name)))];
}

/** Finds a model by its name at the first enabled provider that has it; null when none has. */
export async function findModelByName(workspaceId: string, name: string): Promise<RunModel | null> {
  const rows = await db()
    .select({ providerId: modelProviders.id, models: modelProviders.models })
    .from(modelProviders)
    .where(and(eq(modelProviders.workspaceId, workspaceId), eq(modelProviders.enabled, true)))
    .orderBy(asc(modelProviders.position), asc(modelProviders.id));
  const found = rows.find(({ models }) => models.some((model) => model.name === name));
  return found ? { providerId: found.providerId, model: name } : null;
}
