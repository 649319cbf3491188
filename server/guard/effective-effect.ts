import type { ToolEffect, ToolSource } from "@/contracts/tools/tools";

type Overridable = {
  source: ToolSource;
  effect: ToolEffect;
  effectOverride: ToolEffect | null;
  concurrencySafe: boolean;
  idempotent: boolean;
};

/**
 * Returns a tool's effect, where an admin's override wins over the source, and the traits that follow from it. A tool that
 * an admin marks as changing things is not repeated because its server calls it read-only.
 */
export function effectiveEffect(tool: Overridable): Pick<Overridable, "effect" | "concurrencySafe" | "idempotent"> {
  const { source, effect, effectOverride, concurrencySafe, idempotent } = tool;
  if (effectOverride === null || effectOverride === effect) return { effect, concurrencySafe, idempotent };
  // Whether calls of an MCP tool run side by side is a setting of its server, whatever the effect.
  const isMcp = source === "mcp";
  if (effectOverride === "read") return { effect: "read", concurrencySafe, idempotent: isMcp || idempotent };
  const changedBefore = effect !== "read";
  return { effect: effectOverride, concurrencySafe: concurrencySafe && (isMcp || changedBefore), idempotent: changedBefore && idempotent };
}
