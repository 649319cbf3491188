import type { ActorRef } from "@/contracts/common";
import type { Permission, Role } from "@/contracts/permissions";
import { AppError } from "@/server/platform/errors";

/** Who is asking, in which workspace, with which permissions. Everything that a request does, it does as one. */
export type Actor = ActorRef & {
  workspaceId: string;
  role: Role | null;
  permissions: ReadonlySet<Permission>;
  /** The agent that an API key is bound to. */
  agentId: string | null;
  requestId: string | null;
};

declare const held: unique symbol;

/**
 * An actor that was checked for permission P. `demand` is the only maker, so a function that takes a Holder cannot be
 * called by code that forgot to check.
 */
export type Holder<P extends Permission> = Actor & { readonly [held]: { readonly [K in P]: true } };

/** @throws AppError `forbidden` that names the missing permission. */
export function demand<P extends Permission>(actor: Actor, permission: P): Holder<P> {
  if (!actor.permissions.has(permission)) {
    const whose =
      actor.type === "api_key" ? `The API key "${actor.name}" does not have the scope` : "Your role does not include the permission";
    throw new AppError("forbidden", `${whose} ${permission}. Ask an admin of the workspace.`);
  }
  return actor as Holder<P>;
}

/** What is stored and shown of an actor. */
export function refOf(actor: ActorRef): ActorRef {
  return { type: actor.type, id: actor.id, name: actor.name };
}

/** Handrail itself, when it acts without anybody asking: expiry, recovery, discovery. */
export const systemActor: ActorRef = { type: "system", id: "handrail", name: "Handrail" };
