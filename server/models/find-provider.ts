import "server-only";
import { and, asc, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { modelProviders } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import type { ProviderRow } from "./present-provider";

const ofWorkspace = (workspaceId: string, id: string) => and(eq(modelProviders.workspaceId, workspaceId), eq(modelProviders.id, id));

/** Loads a provider. @throws AppError `not_found`, also for another workspace's provider */
export async function findProvider(tx: Db, workspaceId: string, id: string): Promise<ProviderRow> {
  const [row] = await tx.select().from(modelProviders).where(ofWorkspace(workspaceId, id));
  if (!row) throw missing();
  return row;
}

/** Locks a provider for a change. `version`: from If-Match. @throws AppError `not_found`, `stale_version` */
export async function lockProvider(tx: Db, workspaceId: string, id: string, version: number | null): Promise<ProviderRow> {
  const [row] = await tx.select().from(modelProviders).where(ofWorkspace(workspaceId, id)).for("update");
  if (!row) throw missing();
  if (version !== null && version !== row.version)
    throw new AppError(
      "stale_version",
      `"${row.name}" was changed by somebody else meanwhile. Reload the provider, then repeat your change.`,
    );
  return row;
}

/** Lists the providers of a workspace in the order of the fallback chain. */
export function providersInOrder(tx: Db, workspaceId: string): Promise<ProviderRow[]> {
  return tx
    .select()
    .from(modelProviders)
    .where(eq(modelProviders.workspaceId, workspaceId))
    .orderBy(asc(modelProviders.position), asc(modelProviders.id));
}

/** Lists the providers that are switched on, in the order of the fallback chain. */
export const enabledProviders = async (tx: Db, workspaceId: string): Promise<ProviderRow[]> =>
  (await providersInOrder(tx, workspaceId)).filter(({ enabled }) => enabled);

const missing = () => new AppError("not_found", "This model provider does not exist. It may have been removed; list the providers.");
