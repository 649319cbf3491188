import type { ApiKey } from "@/contracts/identity/identity";
import type { apiKeys } from "@/db/schema";

/** Converts a key's row to its public form, without the hash. No other code publishes the row. */
export function presentApiKey(row: typeof apiKeys.$inferSelect): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    agentId: row.agentId,
    allowedEffects: row.allowedEffects,
    trustClass: row.trustClass,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}
