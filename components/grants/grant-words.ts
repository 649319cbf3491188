import type { Grant, GrantScope } from "@/contracts/grants";

/** Whom a grant is for, as a choice of the card. */
export const scopeWords: Record<GrantScope, string> = {
  conversation: "In this conversation",
  agent: "For this agent, in every conversation",
  user: "For who asked, in every conversation",
  workspace: "In the whole workspace",
};

/** Whom a grant is for, in the list. */
export function scopeOf({ scope, scopeName, scopeId }: Pick<Grant, "scope" | "scopeName" | "scopeId">): string {
  switch (scope) {
    case "conversation":
      return "One conversation";
    case "agent":
      return `Agent ${scopeName ?? scopeId ?? ""}`;
    case "user":
      return `Asked by ${scopeName ?? scopeId ?? ""}`;
    case "workspace":
      return "Whole workspace";
  }
}

/** Until when it holds. */
export function endOf({ kind }: Pick<Grant, "kind">): string {
  switch (kind) {
    case "always":
      return "Until it is revoked";
    case "conversation_end":
      return "Until the conversation is deleted";
    case "until":
      return "Until";
  }
}

export function usesOf({ uses }: Pick<Grant, "uses">): string {
  return uses === 0 ? "Not used yet" : uses === 1 ? "Used once" : `Used ${uses} times`;
}
