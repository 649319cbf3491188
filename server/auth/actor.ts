import type { DecisionPlace } from "@/contracts/approvals/approvals";
import type { ActorRef } from "@/contracts/common";
import type { Permission, Role } from "@/contracts/permissions";
import { AppError } from "@/server/platform/errors";

/** The sender of a request with workspace and permissions. A request acts as one actor throughout. */
export type Actor = ActorRef & {
  workspaceId: string;
  role: Role | null;
  permissions: ReadonlySet<Permission>;
  /** The agent that an API key is bound to. */
  agentId: string | null;
  /**
   * Id of the person behind the actor: the user, or the user who created the API key. Without such a user, the id of the
   * first key in the chain of creators.
   */
  personId: string;
  requestId: string | null;
  /** The place in which the person acts; absent for work of the product. */
  via?: DecisionPlace;
};

declare const checkedPermissions: unique symbol;

/**
 * An actor that was checked for permission P. `requirePermission` is the only maker, so a function that takes an Authorized cannot be
 * called by code that forgot to check.
 */
export type Authorized<P extends Permission> = Actor & { readonly [checkedPermissions]: { readonly [K in P]: true } };

/** @throws AppError `forbidden` that names the missing permission. */
export function requirePermission<P extends Permission>(actor: Actor, permission: P): Authorized<P> {
  if (!actor.permissions.has(permission)) {
    const whose =
      actor.type === "api_key" ? `The API key "${actor.name}" does not have the scope` : "Your role does not include the permission";
    throw new AppError("forbidden", `${whose} ${permission}. Ask an admin of the workspace.`);
  }
  return actor as Authorized<P>;
}

/** Reduces an actor to the fields that are stored and shown. */
export function toActorRef(actor: ActorRef): ActorRef {
  return { type: actor.type, id: actor.id, name: actor.name };
}

/** The actor of Handrail's own actions: expiry, recovery, discovery. */
export const systemActor: ActorRef = { type: "system", id: "handrail", name: "Handrail" };
