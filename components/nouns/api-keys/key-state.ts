import type { ApiKey } from "@/contracts/identity/identity";

/** Returns whether a key is active, revoked or expired at a time in milliseconds. */
export function keyState({ revokedAt, expiresAt }: Pick<ApiKey, "revokedAt" | "expiresAt">, now: number): "active" | "revoked" | "expired" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "expired" : "active";
}
