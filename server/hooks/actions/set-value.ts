import type { HookAction } from "@/contracts/hooks/hook-actions";
import type { CompiledAction } from "../hook-context";
import { hasWildcard, insertAtPointer, setMatches } from "../json-pointer-wildcards";

/** Sets a value at every place that the pointer names, and overwrites present values. */
export function setValue({ pointer, value }: Extract<HookAction, { type: "set" }>): CompiledAction {
  return (seen) => ({ kind: "changed", value: setMatches(seen, pointer, value) });
}

/**
 * Inserts a value at a place that is empty.
 * @throws Error with a sentence for a pointer with a wildcard, because a wildcard only stands for present members
 */
export function inject({ pointer, value }: Extract<HookAction, { type: "inject" }>): CompiledAction {
  if (hasWildcard(pointer)) throw new Error("name one place to fill: `*` stands for places where something is; use set for those");
  return (seen) => ({ kind: "changed", value: insertAtPointer(seen, pointer, value) });
}
