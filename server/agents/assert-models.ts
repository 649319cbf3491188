import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { RunModel } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { modelProviders } from "@/db/schema";
import { AppError } from "@/server/platform/errors";

/**
 * Checks that the providers of an agent's models exist.
 * @param had the agent's present models, which may stay although their provider was removed
 * @throws AppError `invalid` with the path of each unknown provider
 */
export async function assertModels(
  tx: Db,
  workspaceId: string,
  models: readonly RunModel[] | undefined,
  had: readonly RunModel[] = [],
): Promise<void> {
  const asked = new Set(models?.map(({ providerId }) => providerId));
  for (const { providerId } of had) asked.delete(providerId);
  if (!models || asked.size === 0) return;
  const rows = await tx
    .select({ id: modelProviders.id })
    .from(modelProviders)
    .where(and(eq(modelProviders.workspaceId, workspaceId), inArray(modelProviders.id, [...asked])));
  for (const { id } of rows) asked.delete(id);
  const errors = models.flatMap(({ providerId }, index) =>
    asked.has(providerId) ? [{ path: `models.${index}.providerId`, message: "there is no such model provider" }] : [],
  );
  if (errors.length === 0) return;
  throw new AppError("invalid", "An agent's model needs a provider of the workspace. GET /api/v1/model-providers lists them.", { errors });
}
