import "server-only";
import { eq } from "drizzle-orm";
import type { ToolEffect } from "@/contracts/tools";
import type { TrustClass } from "@/contracts/trust";
import { apiKeys } from "@/db/schema";
import { db } from "@/server/platform/database";
import { versionedCache } from "@/server/platform/versioned-cache";

/** What calls that are made with a key may do at most, and where the key stands. */
export type KeyLimits = { allowedEffects: readonly ToolEffect[] | null; trustClass: TrustClass };

/** Somebody of whom nothing is known, such as a key that is not there, may do nothing. */
export const noTrust: KeyLimits = { allowedEffects: [], trustClass: "child_agent" };

/** The limits of every key of a workspace, by id; from memory while the configuration is the same. */
export const keyLimitsOf = versionedCache("keyLimits", async (workspaceId): Promise<ReadonlyMap<string, KeyLimits>> => {
  const { id, allowedEffects, trustClass } = apiKeys;
  const rows = await db().select({ id, allowedEffects, trustClass }).from(apiKeys).where(eq(apiKeys.workspaceId, workspaceId));
  return new Map(rows.map(({ id, ...limits }) => [id, limits]));
});
