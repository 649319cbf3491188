import "server-only";
import { jwtVerify, SignJWT } from "jose";
import { derivedKey } from "@/server/platform/crypto";
import { UserClaims } from "./user-claims";

const issuer = "handrail";
const lifeSeconds = 24 * 60 * 60;

/** A bearer token (JWT, HS256) that holds for 24 hours. */
export async function createUserToken(claims: UserClaims): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date((Math.floor(Date.now() / 1_000) + lifeSeconds) * 1_000);
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(derivedKey("tokens"));
  return { token, expiresAt };
}

/** The claims of a token of ours; null for one that is forged, garbled or too old. */
export async function readUserToken(token: string): Promise<UserClaims | null> {
  try {
    const { payload } = await jwtVerify(token, derivedKey("tokens"), { algorithms: ["HS256"], issuer });
    return UserClaims.parse(payload);
  } catch {
    return null;
  }
}
