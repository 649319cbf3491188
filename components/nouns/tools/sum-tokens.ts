import type { Tool, ToolTier } from "@/contracts/tools/tools";

/** Sums the tokens per model step of the enabled tools, in their tier and in the other tier. */
export function sumTokens(tools: readonly Tool[], tier: ToolTier): { now: number; inOtherTier: number } {
  const other = otherTier(tier);
  const on = tools.filter(({ enabled }) => enabled);
  return {
    now: on.reduce((sum, { tokens }) => sum + tokens[tier], 0),
    inOtherTier: on.reduce((sum, { tokens }) => sum + tokens[other], 0),
  };
}

export const otherTier = (tier: ToolTier): ToolTier => (tier === "core" ? "extension" : "core");
export const tierNames: Record<ToolTier, string> = { core: "Core", extension: "Extension" };
