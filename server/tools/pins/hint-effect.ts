import type { ToolHints } from "@/contracts/tools/tool-changes";
import type { ToolEffect } from "@/contracts/tools/tools";

/**
 * Derives a tool's effect from its server's hints, with MCP's defaults: without hints a tool may destroy. A destructive
 * hint always counts. Without an admin's trust no hint makes a tool read-only, because a hostile server would claim it.
 */
export function hintEffect(hints: ToolHints | null | undefined, trusted: boolean): ToolEffect {
  if (hints?.destructiveHint === true) return "destroy";
  if (hints?.readOnlyHint === true) return trusted ? "read" : "write";
  return hints?.destructiveHint === false ? "write" : "destroy";
}

/** Settings of a server that say what the hints of its tools count for, and whether their calls run side by side. */
export type HintUse = { trustHints: boolean; parallelCalls: boolean };

/** Returns the traits that follow from the hints. An untrusted promise of idempotence would repeat calls that change things. */
export function hintTraits(hints: ToolHints | null | undefined, { trustHints, parallelCalls }: HintUse) {
  const effect = hintEffect(hints, trustHints);
  // In MCP, `idempotentHint` has a meaning only for tools that change something.
  return { effect, concurrencySafe: parallelCalls, idempotent: effect === "read" || (trustHints && hints?.idempotentHint === true) };
}
