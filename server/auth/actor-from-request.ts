import "server-only";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "./actor";
import { actorFromApiKey } from "./actor-from-api-key";
import { actorFromUser } from "./actor-from-user";
import { assertSameOrigin } from "./assert-same-origin";
import { readSessionCookie } from "./sign-in/session-cookie";
import { readUserToken } from "./sign-in/user-token";

/**
 * Finds the actor of a request: from the API key or token in `Authorization`, else from the browser session. Returns null
 * for a stranger. A bad key or token is an error and never falls through to the cookie.
 * @throws AppError `unauthenticated` for a bad key or token, `foreign_origin` for a change requested by another site.
 */
export async function actorFromRequest(request: Request, requestId: string): Promise<Actor | null> {
  const authorization = request.headers.get("authorization");
  // An empty header names nobody. Basic credentials belong to a proxy in front of Handrail; browsers send them with every request.
  if (authorization?.trim() && !/^Basic /i.test(authorization))
    return { ...(await actorOfBearer(authorization, requestId)), via: { kind: "api", name: null } };

  const claims = await readSessionCookie(request.headers.get("cookie"));
  const actor = claims ? await actorFromUser(claims, requestId) : null;
  if (actor) assertSameOrigin(request);
  return actor && { ...actor, via: { kind: "console", name: null } };
}

async function actorOfBearer(authorization: string, requestId: string): Promise<Actor> {
  const credential = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (!credential) throw new AppError("unauthenticated", "The Authorization header is not understood. Send: Authorization: Bearer <token>");
  if (credential.startsWith("hr_")) return actorFromApiKey(credential, requestId);

  const claims = await readUserToken(credential);
  const actor = claims ? await actorFromUser(claims, requestId) : null;
  if (!actor) throw new AppError("unauthenticated", "This token is not valid any more. Get another one from POST /api/v1/auth/token.");
  return actor;
}
