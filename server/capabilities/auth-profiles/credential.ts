import type { AuthKind } from "@/contracts/tools/auth-profiles";
import { unseal } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";

export type AuthProfileOfTool = {
  name: string;
  kind: AuthKind;
  origin: string;
  parameter: string | null;
  username: string | null;
  secretSealed: string;
};

/** A request's credential, and the texts that must never appear in a result. */
export type Credential = { url: string; ownHeaders: Record<string, string>; secrets: string[] };

/**
 * Adds an auth profile to a request's address.
 * @throws AppError `unavailable` for another origin than the profile's, and for a secret that cannot be opened
 */
export function addCredential(url: string, profile: AuthProfileOfTool | null): Credential {
  if (!profile) return { url, ownHeaders: {}, secrets: [] };
  const target = new URL(url);
  // Checked again at each request, because a secret that leaves its origin cannot be called back.
  if (target.origin !== profile.origin) {
    throw new AppError("unavailable", `The auth profile "${profile.name}" belongs to ${profile.origin}. An admin must choose another one.`);
  }
  const secret = openSecret(profile);
  switch (profile.kind) {
    case "bearer":
      return { url, ownHeaders: { authorization: `Bearer ${secret}` }, secrets: [secret] };
    case "basic": {
      const pair = Buffer.from(`${profile.username ?? ""}:${secret}`).toString("base64");
      return { url, ownHeaders: { authorization: `Basic ${pair}` }, secrets: [secret, pair] };
    }
    case "header":
      return { url, ownHeaders: { [(profile.parameter ?? "").toLowerCase()]: secret }, secrets: [secret] };
    case "query":
      target.searchParams.set(profile.parameter ?? "", secret);
      return {
        url: target.href,
        ownHeaders: {},
        secrets: [secret, encodeURIComponent(secret), new URLSearchParams({ s: secret }).toString().slice(2)],
      };
  }
}

function openSecret({ name, secretSealed }: AuthProfileOfTool): string {
  try {
    return unseal(secretSealed);
  } catch {
    throw new AppError("unavailable", `The secret of the auth profile "${name}" was sealed with another key. An admin must type it again.`);
  }
}

/** Replaces a credential in a text that a server wrote. */
export function withoutCredential(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length);
  return known.reduce((cleaned, secret) => cleaned.replaceAll(secret, "***"), text);
}

/** Overwrites a credential in bytes that a server sent with asterisks; their number stays. */
export function bytesWithoutCredential(bytes: Uint8Array, secrets: readonly string[]): Buffer {
  const cleaned = Buffer.from(bytes);
  for (const secret of secrets.filter(({ length }) => length > 3).map((text) => Buffer.from(text))) {
    for (let at = cleaned.indexOf(secret); at !== -1; at = cleaned.indexOf(secret, at)) cleaned.fill("*", at, at + secret.byteLength);
  }
  return cleaned;
}

/** Overwrites a credential in a stream of bytes, also where it spans two chunks. */
export async function* chunksWithoutCredential(chunks: AsyncIterable<Uint8Array>, secrets: readonly string[]): AsyncIterable<Uint8Array> {
  const overlap = Math.max(0, ...secrets.map((secret) => Buffer.byteLength(secret) - 1));
  let kept: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = bytesWithoutCredential(Buffer.concat([kept, chunk]), secrets);
    // The beginning of a secret may stand at the end of the chunk.
    const end = Math.max(0, bytes.byteLength - overlap);
    if (end > 0) yield bytes.subarray(0, end);
    kept = bytes.subarray(end);
  }
  if (kept.byteLength > 0) yield kept;
}
