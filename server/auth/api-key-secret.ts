import "server-only";
import { randomBytes } from "node:crypto";
import { sha256 } from "@/server/platform/crypto";

export type ApiKeySecret = {
  /** The key itself, to be shown once and never stored. */
  key: string;
  /** What people recognise it by. */
  prefix: string;
  /** What is stored, and what a key is looked up by. */
  hash: string;
};

/** Makes a new API key: `hr_` and 256 random bits. */
export function createApiKeySecret(): ApiKeySecret {
  const key = `hr_${randomBytes(32).toString("base64url")}`;
  return { key, prefix: key.slice(0, 10), hash: sha256(key) };
}

/** The hash that a key is looked up by; null for what cannot be one of ours. */
export function hashOfApiKey(key: string): string | null {
  return /^hr_[A-Za-z0-9_-]{43}$/.test(key) ? sha256(key) : null;
}
