import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import { valueAt, withValueAt } from "../json-pointer";
import { alsoInText, inEveryObject, isObject } from "../json-walk";
import type { HookAct } from "../scene";

const mark = "***";

/** Puts `***` in place of fields: by name, whatever its case and wherever it stands, or by JSON pointer. */
export function mask({ fields }: Extract<HookAction, { type: "mask" }>): HookAct {
  const pointers = fields.filter((field) => field.startsWith("/"));
  const names = new Set(fields.filter((field) => !field.startsWith("/")).map((field) => field.toLowerCase()));
  const masking = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, names.has(name.toLowerCase()) ? mark : member]));
  const byName = (value: Json): Json => (names.size === 0 ? value : inEveryObject(value, masking));
  const byPointer = (value: Json): Json => {
    let masked = byName(value);
    for (const pointer of pointers) {
      if (isObject(masked) && valueAt(masked, pointer) !== undefined) masked = withValueAt(masked, pointer, mark);
    }
    return masked;
  };
  return (value: JsonObject) => ({ kind: "changed", value: alsoInText(value, byPointer), hides: true });
}
