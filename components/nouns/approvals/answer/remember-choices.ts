import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import type { Approval, ApprovalAnswer } from "@/contracts/approvals/approvals";
import type { GrantReach, GrantScope } from "@/contracts/guard/grants";

/** Returns why an answer to this call cannot be remembered; null when it can. The server checks again. */
export function whyNotRemembered({ decision, arguments: args }: Pick<Approval, "decision" | "arguments">): string | null {
  if (decision.findings.some(({ severity }) => severity === "critical")) return "Calls with a critical finding are approved one by one.";
  return Object.hasOwn(args, "gate") ? "Gates of the secure pipeline are approved one by one." : null;
}

/** Returns the scopes that an answer can be remembered for, each with its words. */
export function rememberScopes({
  agent,
  requestedBy,
  machine,
}: Pick<Approval, "agent" | "requestedBy" | "machine">): Partial<Record<GrantScope, string>> {
  return {
    conversation: "In this conversation",
    ...(machine?.repository ? { repository: `Always in the repository ${spellHidden(machine.repository)}` } : {}),
    agent: `For the agent ${agent}`,
    user: `For requests from ${requestedBy.name}`,
    workspace: "For the whole workspace",
  };
}

/** A person's choice for a grant; a null scope creates none. */
export type RememberChoice = {
  scope: GrantScope | null;
  match: "exact" | "pattern";
  pattern: string;
  reach?: GrantReach;
  hours: number | null;
};

export const rememberNothing: RememberChoice = { scope: null, match: "exact", pattern: "", hours: null };

/** Remembers the same call in its conversation. */
export const rememberHere: RememberChoice = { ...rememberNothing, scope: "conversation" };

/** Returns the part of an answer that creates the chosen grant. */
export function rememberedBy({ scope, match, pattern, reach, hours }: RememberChoice): Pick<ApprovalAnswer, "remember"> {
  if (scope === null) return {};
  const expiresAt = hours === null ? {} : { expiresAt: new Date(Date.now() + hours * 3_600_000).toISOString() };
  const matched =
    match === "exact" ? ("exact" as const) : { kind: "pattern" as const, parameter: null, pattern, ...(reach ? { reach } : {}) };
  return { remember: { scope, match: matched, note: "", ...expiresAt } };
}

/** Returns why a choice cannot be sent yet; null when it can. */
export function whyIncomplete({ scope, match, pattern }: RememberChoice): string | null {
  return scope !== null && match === "pattern" && pattern.trim() === "" ? "Write the pattern that calls have to match." : null;
}
