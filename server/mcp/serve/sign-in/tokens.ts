import "server-only";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { derivedKey } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { mcpResource } from "./metadata";
import { readSignedText, signText } from "./signed-text";

/** Seconds for which an access token is good. */
export const accessSeconds = 3_600;

/** Makes the one-time code of a sign-in. */
export const newCode = (signInId: string): string => signText("code", signInId);

/** Returns the sign-in of a code; null for a code that was not made here. */
export const readCode = (code: string): string | null => readSignedText("code", code);

/** Makes the refresh token of a sign-in's generation: the same each time, so that two programs of one client can share it. */
export const refreshToken = (signInId: string, generation: number): string => signText("refresh", `${signInId}.${generation}`);

/** Returns the sign-in and the generation of a refresh token; null for a token that was not made here. */
export function readRefreshToken(token: string): { signInId: string; generation: number } | null {
  const [signInId, generation] = readSignedText("refresh", token)?.split(".") ?? [];
  return signInId && generation ? { signInId, generation: Number(generation) } : null;
}

/** Makes an access token (JWT, HS256) for /mcp only. */
export const newAccessToken = (signInId: string): Promise<string> => signAccess(signInId);

/** Makes an access token for /mcp only, with the rights of an API key. */
export const newKeyToken = (keyId: string): Promise<string> => signAccess(`${keyPrefix}${keyId}`);

const keyPrefix = "key:";

function signAccess(subject: string): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: "HS256", typ: "at+jwt" })
    .setIssuer(env().publicUrl)
    .setAudience(mcpResource())
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(`${accessSeconds}s`)
    .sign(derivedKey("mcp-access-tokens"));
}

/** What an access token stands for: a sign-in, or an API key. */
export type TokenSubject = { signInId: string } | { keyId: string };

/** Reads an access token; null when it is forged, expired or of another place. */
export async function readToken(token: string): Promise<TokenSubject | null> {
  // An API key is no token, and the attempt to read one costs more than the rest of the check.
  if (token.startsWith("hr_")) return null;
  try {
    const { payload } = await jwtVerify(token, derivedKey("mcp-access-tokens"), {
      algorithms: ["HS256"],
      issuer: env().publicUrl,
      audience: mcpResource(),
    });
    const { sub = "" } = payload;
    return sub.startsWith(keyPrefix) ? { keyId: z.uuid().parse(sub.slice(keyPrefix.length)) } : { signInId: z.uuid().parse(sub) };
  } catch {
    return null;
  }
}

/** Returns the sign-in of an access token; null for every other token. */
export async function readAccessToken(token: string): Promise<string | null> {
  const subject = await readToken(token);
  return subject && "signInId" in subject ? subject.signInId : null;
}
