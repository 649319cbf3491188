/**
 * Reads the client's network address from `x-forwarded-for`. A client can forge the header's beginning, so only its end
 * counts: Handrail wrote the last entry, and the trusted proxies (HANDRAIL_TRUSTED_PROXIES) wrote the entries before the
 * last. Returns null when the header has fewer entries.
 */
export function clientAddress(forwardedFor: string | null, trustedProxies: number): string | null {
  const entries = (forwardedFor ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  return entries.at(-1 - trustedProxies)?.slice(0, 64) ?? null;
}
