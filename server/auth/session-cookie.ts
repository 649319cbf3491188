import "server-only";
import { decode } from "next-auth/jwt";
import { derivedKey } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { UserClaims } from "./user-claims";

/** Over https the browser itself refuses a cookie of this name that did not come over https. */
export function sessionCookieName(): string {
  return env().publicUrl.startsWith("https:") ? "__Secure-handrail.session" : "handrail.session";
}

export const sessionSecret = () => derivedKey("sessions").toString("base64url");

/** The claims of the session in a `Cookie` header; null when there is none, or when it is forged, garbled or too old. */
export async function readSessionCookie(cookieHeader: string | null): Promise<UserClaims | null> {
  const token = cookieHeader ? cookieNamed(sessionCookieName(), cookieHeader) : null;
  if (!token) return null;
  try {
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
