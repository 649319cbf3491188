import "server-only";
import { randomBytes } from "node:crypto";
import { sha256 } from "@/server/platform/crypto";

export type ApiKeySecret = {
  /** The key itself, to be shown once and never stored. */
  key: string;
  /** First characters of the key, by which people recognise it. */
  prefix: string;
  /** Hash of the key, for storage and lookup. */
  hash: string;
};

/** Makes a new API key: `hr_` and 256 random bits. */
export function createApiKeySecret(): ApiKeySecret {
  const key = `hr_${randomBytes(32).toString("base64url")}`;
  return { key, prefix: key.slice(0, 10), hash: sha256(key) };
}

/** Returns the hash by which a key is looked up; null for a text without the form of a Handrail key. */
export function hashApiKey(key: string): string | null {
  return /^hr_[A-Za-z0-9_-]{43}$/.test(key) ? sha256(key) : null;
}
