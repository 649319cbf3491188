import "server-only";
import { type Authorized, requirePermission } from "@/server/auth/actor";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import type { RunRow } from "./run-row";

/**
 * Loads who started a run, with the permissions of now: a run must not go on for a revoked key or a removed member.
 * @throws AppError `unauthenticated`, `forbidden`
 */
export async function loadRunActor({ id, workspaceId, requestedBy }: RunRow): Promise<Authorized<"turns:write">> {
  return requirePermission(await actorFromRef(requestedBy, { workspaceId, requestId: id }), "turns:write");
}
