import { createHmac } from "node:crypto";

/**
 * Returns the value of `Handrail-Signature`: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "<t>.<body>">`. The HMAC's key is
 * the whole text of the secret. The time is signed too, so that a receiver can refuse a replayed delivery.
 */
export function signatureOf(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
