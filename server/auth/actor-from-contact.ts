import "server-only";
import { and, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { type Permission, withImplied } from "@/contracts/permissions";
import { contacts } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "./actor";

/** A contact may talk to an agent, and nothing else. */
const permissions: readonly Permission[] = ["turns:write", "tools:read"];

/** @throws AppError `forbidden` for a contact that was removed or is inactive */
export async function actorFromContact(
  ref: ActorRef,
  { workspaceId, requestId }: { workspaceId: string; requestId: string },
): Promise<Actor> {
  const [contact] = await db()
    .select({ status: contacts.status, name: contacts.name, userId: contacts.userId })
    .from(contacts)
    .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, ref.id)));
  if (!contact) throw new AppError("forbidden", `${ref.name} is no contact of the workspace any more.`);
  if (contact.status !== "active")
    throw new AppError("forbidden", `${contact.name} may not write to agents. An admin can activate the contact.`);
  return {
    type: "contact",
    id: ref.id,
    name: contact.name,
    workspaceId,
    role: null,
    permissions: withImplied(permissions),
    agentId: null,
    personId: contact.userId ?? ref.id,
    requestId,
  };
}
