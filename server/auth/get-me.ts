import "server-only";
import { eq } from "drizzle-orm";
import type { Me } from "@/contracts/identity/identity";
import { permissions } from "@/contracts/permissions";
import { workspaces } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { type Actor, toActorRef } from "./actor";

/** Returns an actor's identity, workspace and permissions. Needs no permission, because every actor may read its own. */
export async function getMe(actor: Actor): Promise<Me> {
  const [workspace] = await db()
    .select({ id: workspaces.id, name: workspaces.name })
    .from(workspaces)
    .where(eq(workspaces.id, actor.workspaceId));
  if (!workspace) throw new AppError("not_found", "This workspace does not exist any more");
  return {
    actor: toActorRef(actor),
    workspace,
    role: actor.role,
    scopes: permissions.filter((permission) => actor.permissions.has(permission)),
  };
}
