import type { HookAction } from "@/contracts/hook-actions";
import { withInserted, withValueAt } from "../json-pointer";
import type { HookAct } from "../scene";

/** Puts a value at a place, whatever stands there. */
export function setValue({ pointer, value }: Extract<HookAction, { type: "set" }>): HookAct {
  return (seen) => ({ kind: "changed", value: withValueAt(seen, pointer, value) });
}

/** Puts a value at a place where nothing is yet. */
export function inject({ pointer, value }: Extract<HookAction, { type: "inject" }>): HookAct {
  return (seen) => ({ kind: "changed", value: withInserted(seen, pointer, value) });
}
