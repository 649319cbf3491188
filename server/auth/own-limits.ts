import "server-only";
import { and, eq } from "drizzle-orm";
import type { Role } from "@/contracts/permissions";
import { rolePermissions, withImplied } from "@/contracts/permissions";
import { type ToolEffect, toolEffects } from "@/contracts/tools";
import { type TrustClass, trustClasses } from "@/contracts/trust";
import type { Db } from "@/db/client";
import { agents, apiKeys } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "./actor";
import { type KeyLimits, noTrust } from "./key-limits";

/**
 * What calls that the actor makes may do at most, and where the actor stands: the most that it may give to a key, an
 * agent or a tool. A key's effects are those that its agent has too. Read from the database, as a change needs it.
 */
export async function ownLimitsOf(tx: Db, actor: Actor): Promise<KeyLimits> {
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
 * Nobody gives effects away that their own calls may not have.
 * @param had what the receiver has already; it may stay
 * @throws AppError `forbidden`
 */
export function refuseMoreEffects(own: KeyLimits, given: readonly ToolEffect[] | null, had: readonly ToolEffect[] | null = []): void {
  const { allowedEffects } = own;
  if (!allowedEffects) return;
  const beyond = (given ?? toolEffects).filter((effect) => !allowedEffects.includes(effect) && !(had ?? toolEffects).includes(effect));
  if (beyond.length > 0) throw new AppError("forbidden", `You cannot give away effects that you do not have: ${beyond.join(", ")}.`);
}

/** Nobody gives a higher trust class away than their own. @throws AppError `forbidden` */
export function refuseMoreTrust({ trustClass }: KeyLimits, given: TrustClass): void {
  if (!isAbove(given, trustClass)) return;
  throw new AppError("forbidden", `You cannot give away more trust than you have: ${given} is above ${trustClass}.`);
}

export function isAbove(one: TrustClass, other: TrustClass): boolean {
  return trustClasses.indexOf(one) > trustClasses.indexOf(other);
}

/**
 * A member who may submit turns does so as an operator and with every effect: what has less cannot make one, nor take one
 * over with a new password.
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
