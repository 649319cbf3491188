import "server-only";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "./actor";
import { actorOfApiKey } from "./actor-of-api-key";
import { actorOfUser } from "./actor-of-user";
import { demandOwnOrigin } from "./demand-own-origin";
import { readSessionCookie } from "./session-cookie";
import { readUserToken } from "./user-token";

/**
 * Who sends a request: the API key or token in `Authorization`, else the browser session. Null for a stranger.
 * Credentials that are sent and do not hold are an error: they never fall through to the cookie.
 * @throws AppError `unauthenticated` for a bad key or token, `foreign_origin` for a change asked for by another site.
 */
export async function actorOfRequest(request: Request, requestId: string): Promise<Actor | null> {
  const authorization = request.headers.get("authorization");
  // A proxy in front may ask for a password of its own; browsers then send it along, and it is not for us.
  if (authorization !== null && !/^Basic /i.test(authorization)) return actorOfBearer(authorization, requestId);

  const claims = await readSessionCookie(request.headers.get("cookie"));
  const actor = claims ? await actorOfUser(claims, requestId) : null;
  if (actor) demandOwnOrigin(request);
  return actor;
}

async function actorOfBearer(authorization: string, requestId: string): Promise<Actor> {
  const credential = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (!credential) throw new AppError("unauthenticated", "The Authorization header is not understood. Send: Authorization: Bearer <token>");
  if (credential.startsWith("hr_")) return actorOfApiKey(credential, requestId);

  const claims = await readUserToken(credential);
  const actor = claims ? await actorOfUser(claims, requestId) : null;
  if (!actor) throw new AppError("unauthenticated", "This token is not valid any more. Get another one from POST /api/v1/auth/token.");
  return actor;
}
