import "server-only";
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { PlatformError } from "../platform-error";
import type { PlatformHttp } from "../platform-http";
import { listIn } from "./read-members";

type Check = { issuer: string | string[]; audience: string };

const keysKeptMs = 3_600_000;

/**
 * Makes a check of the tokens by which a platform signs its calls. Its keys are read again when a token names an unknown one.
 * @returns the claims; null for a token that is not the platform's, too old or for somebody else
 */
export function tokenCheck(http: PlatformHttp, keysUrl: string) {
  let kept: { keys: Promise<JSONWebKeySet>; at: number } | null = null;
  const load = () => {
    const keys = http.call(keysUrl).then((answer) => {
      if (listIn(answer, "keys").length === 0) throw new PlatformError("unknown", "The platform's keys could not be read.");
      return answer as unknown as JSONWebKeySet;
    });
    kept = { keys, at: Date.now() };
    keys.catch(() => {
      kept = null;
    });
    return keys;
  };
  return async (authorization: string | null, { issuer, audience }: Check): Promise<JWTPayload | null> => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? "")?.[1];
    if (!token) return null;
    const attempt = async (keys: Promise<JSONWebKeySet>) =>
      jwtVerify(token, createLocalJWKSet(await keys), { issuer, audience, clockTolerance: 300, algorithms: ["RS256"] });
    const known = kept && Date.now() - kept.at < keysKeptMs ? kept : null;
    try {
      return (await attempt(known?.keys ?? load())).payload;
    } catch (error) {
      if (error instanceof PlatformError) throw error;
      const isUnknownKey = known && error instanceof Error && "code" in error && error.code === "ERR_JWKS_NO_MATCHING_KEY";
      if (!isUnknownKey) return null;
      return attempt(load()).then(
        ({ payload }) => payload,
        () => null,
      );
    }
  };
}
