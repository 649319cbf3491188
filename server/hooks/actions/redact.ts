import type { Json } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import { valueAt, withValueAt } from "../json-pointer";
import { isObject, mapTexts } from "../json-walk";
import type { HookAct } from "../scene";
import { replacing, textPattern } from "../text-patterns";

/** Replaces what a pattern finds, in every text or in those below one place. */
export function redact({ pattern: source, replacement, pointer }: Extract<HookAction, { type: "redact" }>): HookAct {
  const pattern = textPattern(source);
  const clean = (value: Json) => mapTexts(value, replacing(pattern, replacement));
  return (value) => {
    const place = pointer ?? "";
    const found = valueAt(value, place);
    if (found === undefined) return { kind: "kept" };
    const cleaned = clean(found);
    const result = place === "" ? cleaned : withValueAt(value, place, cleaned);
    return isObject(result) ? { kind: "changed", value: result, hides: true } : { kind: "kept" };
  };
}
