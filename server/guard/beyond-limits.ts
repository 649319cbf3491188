import { trustClasses } from "@/contracts/trust";
import type { AskedCall } from "./asked-call";

const none: NonNullable<AskedCall["context"]["limits"]> = [];

/**
 * Why a call is beyond what its agent or its caller may do at all, whatever rules say and people would answer; null when it
 * is not. Somebody of whom nothing is known has the least trust.
 */
export function beyondLimits({ tool, context }: AskedCall): string | null {
  for (const { whose, effects } of context.limits ?? none) {
    if (!effects.includes(tool.effect)) {
      return `${tool.name} can ${verbs[tool.effect]}, and ${whose} may only use tools that can ${effects.map((effect) => verbs[effect]).join(" or ") || "do nothing"}.`;
    }
  }
  if (!tool.requiredTrust) return null;
  const { trust } = context;
  if (trust && trustClasses.indexOf(trust) >= trustClasses.indexOf(tool.requiredTrust)) return null;
  return `trust_class_denied: ${tool.name} is for callers of the trust class ${tool.requiredTrust}, and this one is ${trust ?? "of none"}.`;
}

const verbs = { read: "read", write: "write", destroy: "destroy" } as const;
