import "server-only";
import { and, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { rolePermissions, withImplied } from "@/contracts/permissions";
import { memberships } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "./actor";
import { actorFromApiKeyId } from "./actor-from-api-key";
import { actorFromContact } from "./actor-from-contact";

type Scope = { workspaceId: string; requestId: string };

/**
 * Finds the actor of a stored reference, with the permissions that person has now. Work that was started for somebody must not go on for
 * a revoked key or a removed member.
 * @throws AppError `unauthenticated`, `forbidden`
 */
export async function actorFromRef(ref: ActorRef, { workspaceId, requestId }: Scope): Promise<Actor> {
  if (ref.type === "api_key") return requireHere(await actorFromApiKeyId(ref.id, requestId), workspaceId);
  if (ref.type === "contact") return actorFromContact(ref, { workspaceId, requestId });
  if (ref.type !== "user")
    throw new AppError("forbidden", `${ref.name} is no member of the workspace. Let a member or an API key start this.`);
  const [member] = await db()
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, ref.id)));
  if (!member) throw new AppError("forbidden", `${ref.name} started this and is no longer a member of the workspace.`);
  return {
    ...ref,
    workspaceId,
    role: member.role,
    permissions: withImplied(rolePermissions[member.role]),
    agentId: null,
    personId: ref.id,
    requestId,
  };
}

function requireHere(actor: Actor, workspaceId: string): Actor {
  if (actor.workspaceId === workspaceId) return actor;
  throw new AppError("forbidden", `The API key "${actor.name}" belongs to another workspace.`);
}
