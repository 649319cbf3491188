import "server-only";
import { and, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { rolePermissions, withImplied } from "@/contracts/permissions";
import { memberships } from "@/db/schema";
import { type Authorized, requirePermission } from "@/server/auth/actor";
import { actorFromApiKeyId } from "@/server/auth/actor-from-api-key";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import type { RunRow } from "./run-row";

/**
 * Loads who started a run, with the permissions of now: a run must not go on for a revoked key or a removed member.
 * A key that is bound to an agent may act as the agents to which that agent handed a task.
 * @throws AppError `unauthenticated`, `forbidden`
 */
export async function loadRunActor({ id, workspaceId, requestedBy, agentId, depth }: RunRow): Promise<Authorized<"turns:write">> {
  const actor = await loadRequester(workspaceId, requestedBy, id);
  return depth > 0 && actor.agentId !== null ? { ...actor, agentId } : actor;
}

/** Loads an actor by what is stored of it, with the permissions of now. @throws AppError `unauthenticated`, `forbidden` */
export async function loadRequester(workspaceId: string, requestedBy: ActorRef, requestId: string): Promise<Authorized<"turns:write">> {
  if (requestedBy.type === "api_key") return requirePermission(await actorFromApiKeyId(requestedBy.id, requestId), "turns:write");
  if (requestedBy.type !== "user") throw new AppError("forbidden", `${requestedBy.name} cannot start runs of agents.`);
  const [member] = await db()
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, requestedBy.id)));
  if (!member) throw new AppError("forbidden", `${requestedBy.name} started the run and is no longer a member of the workspace.`);
  const actor = {
    ...requestedBy,
    workspaceId,
    role: member.role,
    permissions: withImplied(rolePermissions[member.role]),
    agentId: null,
    personId: requestedBy.id,
    requestId,
  };
  return requirePermission(actor, "turns:write");
}
