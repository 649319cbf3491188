import type { ActorRef } from "@/contracts/common";
import type { ToolEffect } from "@/contracts/tools/tools";
import type { TrustClass } from "@/contracts/tools/trust";
import type { KeyLimits } from "@/server/auth/api-keys/key-limits";
import type { GuardContext } from "@/server/guard/call/guard-request";

type LimitedAgent = { name: string; allowedEffects: readonly ToolEffect[] | null };

/**
 * Returns the upper limits that the agent and the submitting API key put on a call, and the submitter's trust class.
 * @param delegators agents that handed the task on: a child agent never may do more than they may
 */
export function callerLimits(
  actor: ActorRef,
  agent: LimitedAgent,
  keyLimits: KeyLimits | null,
  delegators: readonly LimitedAgent[] = [],
): Required<Pick<GuardContext, "limits">> & { trust: TrustClass } {
  return {
    limits: [
      ...[agent, ...delegators].flatMap(({ name, allowedEffects }) =>
        allowedEffects ? [{ whose: `the agent ${name}`, effects: allowedEffects }] : [],
      ),
      ...(keyLimits?.allowedEffects ? [{ whose: `the API key ${actor.name}`, effects: keyLimits.allowedEffects }] : []),
    ],
    trust: delegators.length > 0 ? "child_agent" : trustOf(actor.type, keyLimits),
  };
}

/** Returns a caller's trust class: users are operators, known keys have their own class, and all others the lowest. */
function trustOf(type: ActorRef["type"], keyLimits: KeyLimits | null): TrustClass {
  if (type === "user") return "operator";
  return type === "api_key" && keyLimits ? keyLimits.trustClass : "child_agent";
}
