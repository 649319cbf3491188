import type { ToolEffect, ToolSource } from "@/contracts/tools";

type Overridable = {
  source: ToolSource;
  effect: ToolEffect;
  effectOverride: ToolEffect | null;
  concurrencySafe: boolean;
  idempotent: boolean;
};

/**
 * Returns a tool's effect, where an admin's override wins over the source, and the traits that follow from it. A tool
 * that an admin marks as changing things is neither repeated nor run concurrently because its server calls it
 * read-only.
 */
export function effectiveEffect(tool: Overridable): Pick<Overridable, "effect" | "concurrencySafe" | "idempotent"> {
  const { source, effect, effectOverride, concurrencySafe, idempotent } = tool;
  if (effectOverride === null || effectOverride === effect) return { effect, concurrencySafe, idempotent };
  if (effectOverride !== "read") {
    return { effect: effectOverride, concurrencySafe: effect !== "read" && concurrencySafe, idempotent: effect !== "read" && idempotent };
  }
  // The authors of our own tools declare their concurrency; of an MCP tool only the effect is known.
  const isMcp = source === "mcp";
  return { effect: "read", concurrencySafe: isMcp || concurrencySafe, idempotent: isMcp || idempotent };
}
