import "server-only";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import type { Permission } from "@/contracts/permissions";
import { isAppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { type Actor, demand, type Holder } from "./actor";
import { actorOfUser } from "./actor-of-user";
import { ownPath } from "./own-path";
import { readSessionCookie } from "./session-cookie";

/** Who is signed in, in the browser that asks for a page; null for a stranger. */
export async function sessionActor(): Promise<Actor | null> {
  const claims = await readSessionCookie((await cookies()).toString());
  return claims ? actorOfUser(claims, newId()) : null;
}

/** Who is signed in; a stranger is sent to sign in and comes back to the same place. */
export async function signedInActor(): Promise<Actor> {
  const actor = await sessionActor();
  if (actor) return actor;
  // The proxy writes where the browser wants to go; pages are not told.
  const path = ownPath((await headers()).get("x-handrail-path"));
  redirect(path === "/" ? "/sign-in" : `/sign-in?callbackUrl=${encodeURIComponent(path)}`);
}

/**
 * The actor of a page, checked for its permission.
 * @throws AppError `forbidden`; its `digest` is `forbidden:<permission>`, which is all that an error page gets to see.
 */
export async function pageActor<P extends Permission>(permission: P): Promise<Holder<P>> {
  const actor = await signedInActor();
  try {
    return demand(actor, permission);
  } catch (error) {
    throw isAppError(error) ? Object.assign(error, { digest: `forbidden:${permission}` }) : error;
  }
}
