import { trustClasses } from "@/contracts/tools/trust";
import type { GuardRequest } from "./call/guard-request";

const none: NonNullable<GuardRequest["context"]["limits"]> = [];

/**
 * Explains why a call exceeds the limits of its agent or caller, which no rule and no approval can lift; null when it
 * does not. A caller without a trust class fails every trust requirement.
 */
export function checkCallerLimits({ tool, context }: GuardRequest): string | null {
  for (const { whose, effects } of context.limits ?? none) {
    if (!effects.includes(tool.effect)) {
      return `${tool.name} can ${verbs[tool.effect]}, and ${whose} may only use tools that can ${effects.map((effect) => verbs[effect]).join(" or ") || "do nothing"}.`;
    }
  }
  if (!tool.requiredTrust) return null;
  const { trust } = context;
  if (trust && trustClasses.indexOf(trust) >= trustClasses.indexOf(tool.requiredTrust)) return null;
  if (trust === "child_agent")
    return `trust_class_denied: child agents may not use ${tool.name}; it is for callers of the trust class ${tool.requiredTrust}.`;
  return `trust_class_denied: ${tool.name} is for callers of the trust class ${tool.requiredTrust}, and this one is ${trust ?? "of none"}.`;
}

const verbs = { read: "read", write: "write", destroy: "destroy" } as const;
