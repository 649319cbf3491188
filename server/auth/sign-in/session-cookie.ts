import "server-only";
import { derivedKey } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { UserClaims } from "./user-claims";

/** Returns the cookie's name. Over https, browsers accept the `__Secure-` prefix only on cookies set over https. */
export function sessionCookieName(): string {
  return env().publicUrl.startsWith("https:") ? "__Secure-handrail.session" : "handrail.session";
}

export const sessionSecret = () => derivedKey("sessions").toString("base64url");

/** Reads the session's claims from a `Cookie` header; null when the cookie is missing, forged, malformed or expired. */
export async function readSessionCookie(cookieHeader: string | null): Promise<UserClaims | null> {
  const token = cookieHeader ? cookieNamed(sessionCookieName(), cookieHeader) : null;
  if (!token) return null;
  try {
    // Loaded by the first session: agents have none, and a start waits for nothing that agents do not need.
    const { decode } = await import("next-auth/jwt");
    return UserClaims.parse(await decode({ token, secret: sessionSecret() }));
  } catch {
    return null;
  }
}

function cookieNamed(name: string, cookieHeader: string): string | null {
  for (const pair of cookieHeader.split(";")) {
    const [given, value] = pair.trim().split("=", 2);
    if (given === name && value) return value;
  }
  return null;
}
