import "server-only";
import type { Endpoint } from "@/contracts/endpoint";
import { type Actor, requirePermission } from "@/server/auth/actor";
import { actorFromRequest } from "@/server/auth/actor-from-request";
import { AppError, isAppError } from "@/server/platform/errors";

/**
 * First step of a request: finds its actor and checks the endpoint's permission.
 * @throws AppError `unauthenticated`, `forbidden`
 */
export async function authenticate(
  { permission, ignoresCredentials }: Endpoint,
  request: Request,
  requestId: string,
): Promise<Actor | null> {
  if (ignoresCredentials) return null;
  const actor = await actorFromRequest(request, requestId);
  if (!permission) return actor;
  if (!actor) throw new AppError("unauthenticated", "Send an API key or a token: Authorization: Bearer <token>");
  return requirePermission(actor, permission);
}

/** Tells whether an error is no refusal of access; a database outage, for example, proves nothing about permissions. */
export function isNotARefusal(error: unknown): boolean {
  return !(isAppError(error) && (error.code === "unauthenticated" || error.code === "forbidden"));
}
