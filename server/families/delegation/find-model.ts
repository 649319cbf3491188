import "server-only";
import { and, asc, eq } from "drizzle-orm";
import type { RunModel } from "@/contracts/runs/runs";
import { agents, modelProviders } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

const maxNamed = 20;

/**
 * Finds a model by its name, first at the providers of the agent's own models. `provider/model` names the provider too.
 * @throws AppError `not_found` with the names that are there
 */
export async function findModel(workspaceId: string, agentId: string, name: string): Promise<RunModel> {
  const [agent] = await db().select({ models: agents.models }).from(agents).where(eq(agents.id, agentId));
  const preferred = new Set(agent?.models.map(({ providerId }) => providerId));
  const providers = await db()
    .select({ id: modelProviders.id, name: modelProviders.name, models: modelProviders.models })
    .from(modelProviders)
    .where(and(eq(modelProviders.workspaceId, workspaceId), eq(modelProviders.enabled, true)))
    .orderBy(asc(modelProviders.position), asc(modelProviders.id));
  const offered = providers
    .toSorted((a, b) => Number(preferred.has(b.id)) - Number(preferred.has(a.id)))
    .flatMap((provider) => provider.models.map((model) => ({ providerId: provider.id, provider: provider.name, model: model.name })));
  const found = offered.find(({ provider, model }) => model === name.trim() || `${provider}/${model}` === name.trim());
  if (found) return { providerId: found.providerId, model: found.model };
  const names = [...new Set(offered.map(({ model }) => model))].slice(0, maxNamed);
  throw new AppError(
    "not_found",
    `There is no model named "${name}". ${names.length > 0 ? `There are: ${names.join(", ")}.` : "Leave model out."}`,
  );
}
