import "server-only";
import { and, eq } from "drizzle-orm";
import type { OfferedModel } from "@/contracts/models/models";
import type { Db } from "@/db/client";
import { modelProviders } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { enabledProviders } from "./find-provider";
import type { ModelRef, ModelUsage } from "./model-request";

/** Returns the first model of each enabled provider, in order. Empty: no model is configured. */
export async function fallbackChain(workspaceId: string, tx: Db = db()): Promise<ModelRef[]> {
  const providers = await enabledProviders(tx, workspaceId);
  return providers.flatMap(({ id, models: [first] }) => (first ? [{ providerId: id, model: first.name }] : []));
}

/** Returns the models that an agent chose; the workspace's fallback chain when it chose none. */
export async function chainOf(workspaceId: string, chosen: readonly ModelRef[], tx: Db = db()): Promise<ModelRef[]> {
  return chosen.length > 0 ? [...chosen] : fallbackChain(workspaceId, tx);
}

/** Returns the price of a model, or null for a model without one. */
export async function findPrice(workspaceId: string, { providerId, model }: ModelRef): Promise<OfferedModel | null> {
  const [row] = await db()
    .select({ models: modelProviders.models })
    .from(modelProviders)
    .where(and(eq(modelProviders.workspaceId, workspaceId), eq(modelProviders.id, providerId)));
  return row?.models.find(({ name }) => name === model) ?? null;
}

/** Returns the cost in US dollars; null when a needed price is unknown, because a guess would look like a fact. */
export function costOf({ inputTokens, cachedInputTokens, outputTokens }: ModelUsage, price: OfferedModel | null): number | null {
  if (!price || price.inputPrice === null || price.outputPrice === null) return null;
  const cachedPrice = price.cachedInputPrice ?? price.inputPrice;
  const fresh = Math.max(0, inputTokens - cachedInputTokens);
  return (fresh * price.inputPrice + cachedInputTokens * cachedPrice + outputTokens * price.outputPrice) / 1_000_000;
}
