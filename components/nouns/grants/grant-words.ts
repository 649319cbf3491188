import type { Grant } from "@/contracts/guard/grants";

/** Describes the scope of a grant in the list. */
export function describeScope({ scope, scopeName, scopeId }: Pick<Grant, "scope" | "scopeName" | "scopeId">): string {
  switch (scope) {
    case "conversation":
      return "One conversation";
    case "repository":
      return `Repository ${scopeId ?? ""}`;
    case "agent":
      return `Agent ${scopeName ?? scopeId ?? ""}`;
    case "user":
      return `Requests from ${scopeName ?? scopeId ?? ""}`;
    case "workspace":
      return "Whole workspace";
  }
}

/** Describes the end of a grant. */
export function describeEnd({ kind }: Pick<Grant, "kind">): string {
  switch (kind) {
    case "always":
      return "Until it is revoked";
    case "conversation_end":
      return "Until the conversation is deleted";
    case "until":
      return "Until";
  }
}

export function describeUses({ uses }: Pick<Grant, "uses">): string {
  return uses === 0 ? "Not used yet" : uses === 1 ? "Used once" : `Used ${uses} times`;
}
