import "server-only";
import type { ActorRef } from "@/contracts/common";
import { type Authorized, requirePermission } from "@/server/auth/actor";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import type { RunRow } from "./run-row";

/**
 * Loads who started a run, with the permissions that person has now: a run must not go on for a revoked key or a removed member.
 * A key that is bound to an agent may act as the agents to which that agent handed a task.
 * @throws AppError `unauthenticated`, `forbidden`
 */
export async function loadRunActor({ id, workspaceId, requestedBy, agentId, depth }: RunRow): Promise<Authorized<"turns:write">> {
  const actor = await loadRequester(workspaceId, requestedBy, id);
  return depth > 0 && actor.agentId !== null ? { ...actor, agentId } : actor;
}

/** Loads an actor by what is stored of it, with the permissions that person has now. @throws AppError `unauthenticated`, `forbidden` */
export async function loadRequester(workspaceId: string, requestedBy: ActorRef, requestId: string): Promise<Authorized<"turns:write">> {
  return requirePermission(await actorFromRef(requestedBy, { workspaceId, requestId }), "turns:write");
}
