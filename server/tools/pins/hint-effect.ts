import type { ToolHints } from "@/contracts/tool-changes";
import type { ToolEffect } from "@/contracts/tools";

/**
 * Derives a tool's effect from its server's hints, with MCP's defaults: without hints a tool may destroy. A destructive
 * hint always counts. Without an admin's trust no hint makes a tool read-only, because a hostile server would claim it.
 */
export function hintEffect(hints: ToolHints | null | undefined, trusted: boolean): ToolEffect {
  if (hints?.destructiveHint === true) return "destroy";
  if (hints?.readOnlyHint === true) return trusted ? "read" : "write";
  return hints?.destructiveHint === false ? "write" : "destroy";
}

/** Returns the traits that follow from the hints. An untrusted promise of idempotence would repeat calls that change things. */
export function hintTraits(hints: ToolHints | null | undefined, trusted: boolean) {
  const effect = hintEffect(hints, trusted);
  const onlyReads = effect === "read";
  // In MCP, `idempotentHint` has a meaning only for tools that change something.
  return { effect, concurrencySafe: onlyReads, idempotent: onlyReads || (trusted && hints?.idempotentHint === true) };
}
