import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { derivedKey } from "@/server/platform/crypto";

/** Signs a payload of base64url characters and dots: `<payload>.<HMAC-SHA-256>`. A signature for one purpose fits no other. */
export function signText(purpose: string, payload: string): string {
  return `${payload}.${macOf(purpose, payload).toString("base64url")}`;
}

/** Returns the payload of a text that `signText` made for the purpose; null for any other text. */
export function readSignedText(purpose: string, text: string): string | null {
  const end = text.lastIndexOf(".");
  if (end < 0) return null;
  const payload = text.slice(0, end);
  const given = Buffer.from(text.slice(end + 1), "base64url");
  const right = macOf(purpose, payload);
  return given.length === right.length && timingSafeEqual(given, right) ? payload : null;
}

const macOf = (purpose: string, payload: string): Buffer =>
  createHmac("sha256", derivedKey("mcp-client-sign-ins")).update(`${purpose}\n${payload}`).digest();
