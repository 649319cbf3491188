import "server-only";
import { and, eq } from "drizzle-orm";
import type { Role } from "@/contracts/permissions";
import { rolePermissions, withImplied } from "@/contracts/permissions";
import { type ToolEffect, toolEffects } from "@/contracts/tools/tools";
import { type TrustClass, trustClasses } from "@/contracts/tools/trust";
import type { Db } from "@/db/client";
import { agents, apiKeys } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "./actor";
import { type KeyLimits, noTrust } from "./api-keys/key-limits";

/**
 * Loads the upper limits of an actor's calls: effects and trust class. The actor may grant no more to a key, an agent or a
 * tool. A key's effects are reduced to those of its agent. Not cached, because changes need the current limits.
 */
export async function loadActorLimits(tx: Db, actor: Actor): Promise<KeyLimits> {
  if (actor.type === "user") return { allowedEffects: null, trustClass: "operator" };
  if (actor.type !== "api_key") return noTrust;
  const [key] = await tx
    .select({
      effects: apiKeys.allowedEffects,
      trustClass: apiKeys.trustClass,
      agentId: apiKeys.agentId,
      agentEffects: agents.allowedEffects,
    })
    .from(apiKeys)
    .leftJoin(agents, eq(agents.id, apiKeys.agentId))
    .where(and(eq(apiKeys.workspaceId, actor.workspaceId), eq(apiKeys.id, actor.id)));
  return key ? { allowedEffects: both(key.effects, key.agentEffects), trustClass: key.trustClass } : noTrust;
}

function both(a: readonly ToolEffect[] | null, b: readonly ToolEffect[] | null): readonly ToolEffect[] | null {
  return a && b ? a.filter((effect) => b.includes(effect)) : (a ?? b);
}

/**
 * Refuses a grant of effects that the actor's own calls may not have.
 * @param had the receiver's present effects, which may stay
 * @throws AppError `forbidden`
 */
export function refuseMoreEffects(own: KeyLimits, given: readonly ToolEffect[] | null, had: readonly ToolEffect[] | null = []): void {
  const { allowedEffects } = own;
  if (!allowedEffects) return;
  const beyond = (given ?? toolEffects).filter((effect) => !allowedEffects.includes(effect) && !(had ?? toolEffects).includes(effect));
  if (beyond.length > 0) throw new AppError("forbidden", `You cannot grant effects that you do not have: ${beyond.join(", ")}.`);
}

/** Refuses a grant of a trust class above the actor's own. @throws AppError `forbidden` */
export function refuseMoreTrust({ trustClass }: KeyLimits, given: TrustClass): void {
  if (!isAbove(given, trustClass)) return;
  throw new AppError("forbidden", `You cannot grant more trust than you have: ${given} is above ${trustClass}.`);
}

export function isAbove(one: TrustClass, other: TrustClass): boolean {
  return trustClasses.indexOf(one) > trustClasses.indexOf(other);
}

/**
 * Refuses actors with limits that make such a member, or set such a member's password: a member who may submit turns acts
 * as an operator with every effect.
 * @throws AppError `forbidden`
 */
export function refuseMakingOperators({ allowedEffects, trustClass }: KeyLimits, role: Role): void {
  if (!withImplied(rolePermissions[role]).has("turns:write")) return;
  if (allowedEffects === null && trustClass === "operator") return;
  throw new AppError(
    "forbidden",
    `Members with the role ${role} use tools without limits, as operators do, and this API key does not. Ask an admin, or use a key of the trust class operator.`,
  );
}
