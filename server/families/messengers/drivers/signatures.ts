import { createHmac, timingSafeEqual } from "node:crypto";

/** Compares a sent signature in constant time. */
export function isEqualSecret(sent: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(sent ?? ""), Buffer.from(expected)];
  return expected !== "" && a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

export const hmacSha256 = (key: string, data: string | Uint8Array, encoding: "hex" | "base64"): string =>
  createHmac("sha256", key).update(data).digest(encoding);

/** Seconds by which a signed time may differ from ours; an older call is a replay. */
const toleranceSeconds = 300;

export const isRecent = (seconds: number, now = Date.now()): boolean =>
  Number.isFinite(seconds) && Math.abs(now / 1_000 - seconds) <= toleranceSeconds;
