/**
 * The network address of who sent a request, out of `x-forwarded-for`. Everybody may send that header, so only its end
 * counts: the last entry was written by the process that accepted the connection, the ones before it by the proxies
 * that the operator says stand in front (HANDRAIL_TRUSTED_PROXIES). Null when the header is shorter than that.
 */
export function clientAddress(forwardedFor: string | null, trustedProxies: number): string | null {
  const entries = (forwardedFor ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  return entries.at(-1 - trustedProxies)?.slice(0, 64) ?? null;
}
