import "server-only";
import { jwtVerify, SignJWT } from "jose";
import { derivedKey } from "@/server/platform/crypto";
import { sharedNow, sharedNowMs } from "@/server/platform/database/shared-clock";
import { UserClaims } from "./user-claims";

const issuer = "handrail";
const lifeSeconds = 24 * 60 * 60;

/** Creates a bearer token (JWT, HS256) that is valid for 24 hours. */
export async function createUserToken(claims: UserClaims): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date((Math.floor(sharedNowMs() / 1_000) + lifeSeconds) * 1_000);
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setIssuedAt(sharedNow())
    .setExpirationTime(expiresAt)
    .sign(derivedKey("tokens"));
  return { token, expiresAt };
}

/** Reads the claims of a bearer token; null when the token is forged, malformed or expired. */
export async function readUserToken(token: string): Promise<UserClaims | null> {
  try {
    const { payload } = await jwtVerify(token, derivedKey("tokens"), { algorithms: ["HS256"], issuer, currentDate: sharedNow() });
    return UserClaims.parse(payload);
  } catch {
    return null;
  }
}
