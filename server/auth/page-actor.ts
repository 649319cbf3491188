import "server-only";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import type { Permission } from "@/contracts/permissions";
import { isAppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { type Actor, type Authorized, requirePermission } from "./actor";
import { actorFromUser } from "./actor-from-user";
import { sameOriginPath } from "./same-origin-path";
import { readSessionCookie } from "./sign-in/session-cookie";

/** Returns the actor of the browser's session; null without a session. */
export async function sessionActor(): Promise<Actor | null> {
  const claims = await readSessionCookie((await cookies()).toString());
  return claims ? actorFromUser(claims, newId()) : null;
}

/** Returns the signed-in actor. Without a session, redirects to the sign-in page, which leads back to the same path. */
export async function signedInActor(): Promise<Actor> {
  const actor = await sessionActor();
  if (actor) return actor;
  // `proxy.ts` passes the requested path in this header, because Next does not give the path to pages.
  const path = sameOriginPath((await headers()).get("x-handrail-path"));
  redirect(path === "/" ? "/sign-in" : `/sign-in?callbackUrl=${encodeURIComponent(path)}`);
}

/**
 * Returns the actor of a page, checked for the page's permission.
 * @throws AppError `forbidden` with the `digest` `forbidden:<permission>`, because an error page gets only the digest.
 */
export async function pageActor<P extends Permission>(permission: P): Promise<Authorized<P>> {
  const actor = await signedInActor();
  try {
    return requirePermission(actor, permission);
  } catch (error) {
    throw isAppError(error) ? Object.assign(error, { digest: `forbidden:${permission}` }) : error;
  }
}
