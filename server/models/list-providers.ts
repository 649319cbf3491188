import "server-only";
import type { ModelProvider } from "@/contracts/models/models";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { findProvider, providersInOrder } from "./find-provider";
import { presentProvider } from "./present-provider";

/** Lists the model providers of the workspace in the order of the fallback chain. */
export async function listProviders(actor: Authorized<"models:read">): Promise<{ items: ModelProvider[]; nextCursor: null }> {
  return { items: (await providersInOrder(db(), actor.workspaceId)).map(presentProvider), nextCursor: null };
}

/** Loads a model provider. @throws AppError `not_found` */
export async function getProvider(actor: Authorized<"models:read">, id: string): Promise<ModelProvider> {
  return presentProvider(await findProvider(db(), actor.workspaceId, id));
}
