import type { ActorRef } from "@/contracts/common";
import type { ToolEffect } from "@/contracts/tools";
import type { TrustClass } from "@/contracts/trust";
import type { KeyLimits } from "@/server/auth/key-limits";
import type { GuardContext } from "@/server/guard/guard-request";

/** Returns the upper limits that the agent and the submitting API key put on a call, and the submitter's trust class. */
export function callerLimits(
  actor: ActorRef,
  agent: { name: string; allowedEffects: readonly ToolEffect[] | null },
  keyLimits: KeyLimits | null,
): Required<Pick<GuardContext, "limits">> & { trust: TrustClass } {
  return {
    limits: [
      ...(agent.allowedEffects ? [{ whose: `the agent ${agent.name}`, effects: agent.allowedEffects }] : []),
      ...(keyLimits?.allowedEffects ? [{ whose: `the API key ${actor.name}`, effects: keyLimits.allowedEffects }] : []),
    ],
    trust: trustOf(actor.type, keyLimits),
  };
}

/** Returns a caller's trust class: users are operators, known keys have their own class, and all others the lowest. */
function trustOf(type: ActorRef["type"], keyLimits: KeyLimits | null): TrustClass {
  if (type === "user") return "operator";
  return type === "api_key" && keyLimits ? keyLimits.trustClass : "child_agent";
}
