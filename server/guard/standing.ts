import type { ActorRef } from "@/contracts/common";
import type { ToolEffect } from "@/contracts/tools";
import type { TrustClass } from "@/contracts/trust";
import type { KeyLimits } from "@/server/auth/key-limits";
import type { CallContext } from "./asked-call";

/** What the calls of an agent may do at most when somebody submits them, and where that somebody stands. */
export function standingOf(
  actor: ActorRef,
  agent: { name: string; allowedEffects: readonly ToolEffect[] | null },
  keyLimits: KeyLimits | null,
): Required<Pick<CallContext, "limits">> & { trust: TrustClass } {
  return {
    limits: [
      ...(agent.allowedEffects ? [{ whose: `the agent ${agent.name}`, effects: agent.allowedEffects }] : []),
      ...(keyLimits?.allowedEffects ? [{ whose: `the API key ${actor.name}`, effects: keyLimits.allowedEffects }] : []),
    ],
    trust: trustOf(actor.type, keyLimits),
  };
}

/** A person of the workspace is an operator; what acts for somebody else has the least trust. */
function trustOf(type: ActorRef["type"], keyLimits: KeyLimits | null): TrustClass {
  if (type === "user") return "operator";
  return type === "api_key" && keyLimits ? keyLimits.trustClass : "child_agent";
}
