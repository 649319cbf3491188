import type { Approval } from "@/contracts/approvals";
import type { GrantScope } from "@/contracts/grants";

/** Returns why an answer to this call cannot be remembered; null when it can. The server checks again. */
export function whyNotRemembered({ decision, arguments: args }: Pick<Approval, "decision" | "arguments">): string | null {
  if (decision.findings.some(({ severity }) => severity === "critical")) return "Calls with a critical finding are approved one by one.";
  return Object.hasOwn(args, "gate") ? "Gates of the secure pipeline are approved one by one." : null;
}

/** Returns the scopes that an answer can be remembered for. */
export function rememberScopes({ agent, requestedBy }: Pick<Approval, "agent" | "requestedBy">): Record<GrantScope, string> {
  return {
    conversation: "In this conversation",
    agent: `For the agent ${agent}`,
    user: `For requests from ${requestedBy.name}`,
    workspace: "For the whole workspace",
  };
}
