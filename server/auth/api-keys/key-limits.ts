import "server-only";
import { eq } from "drizzle-orm";
import type { ToolEffect } from "@/contracts/tools/tools";
import type { TrustClass } from "@/contracts/tools/trust";
import { apiKeys } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { versionedCache } from "@/server/platform/signals/versioned-cache";

/** The upper limits of calls that are made with a key: effects and trust class. */
export type KeyLimits = { allowedEffects: readonly ToolEffect[] | null; trustClass: TrustClass };

/** The limits of an unknown caller, such as a key that does not exist: no effects, lowest trust class. */
export const noTrust: KeyLimits = { allowedEffects: [], trustClass: "child_agent" };

/** Loads the limits of every key of a workspace, by id; cached until the configuration version changes. */
export const loadKeyLimits = versionedCache("keyLimits", async (workspaceId): Promise<ReadonlyMap<string, KeyLimits>> => {
  const { id, allowedEffects, trustClass } = apiKeys;
  const rows = await db().select({ id, allowedEffects, trustClass }).from(apiKeys).where(eq(apiKeys.workspaceId, workspaceId));
  return new Map(rows.map(({ id, ...limits }) => [id, limits]));
});
