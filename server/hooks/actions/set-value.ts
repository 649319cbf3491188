import type { HookAction } from "@/contracts/hook-actions";
import { namesSeveral, withEachSet, withInserted } from "../every-member";
import type { HookAct } from "../scene";

/** Puts a value at a place, or at each of several, whatever stands there. */
export function setValue({ pointer, value }: Extract<HookAction, { type: "set" }>): HookAct {
  return (seen) => ({ kind: "changed", value: withEachSet(seen, pointer, value) });
}

/**
 * Puts a value at a place where nothing is yet.
 * @throws Error with a sentence for a pointer to several places: where nothing is, nothing can be gone through
 */
export function inject({ pointer, value }: Extract<HookAction, { type: "inject" }>): HookAct {
  if (namesSeveral(pointer)) throw new Error("name one place to fill: `*` stands for places where something is; use set for those");
  return (seen) => ({ kind: "changed", value: withInserted(seen, pointer, value) });
}
