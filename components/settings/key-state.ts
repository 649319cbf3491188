import type { ApiKey } from "@/contracts/identity";

/** Whether a key opens anything, at a moment in milliseconds. */
export function keyState({ revokedAt, expiresAt }: Pick<ApiKey, "revokedAt" | "expiresAt">, now: number): "active" | "revoked" | "expired" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "expired" : "active";
}
