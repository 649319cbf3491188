import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import { withFoundChanged } from "../every-member";
import { alsoInText, inEveryObject } from "../json-walk";
import type { HookAct } from "../scene";

const mark = "***";

/**
 * Puts `***` in place of fields: by name, whatever its case and wherever it stands, or by JSON pointer, in the text of a
 * result and in the structured content beside it.
 */
export function mask({ fields }: Extract<HookAction, { type: "mask" }>): HookAct {
  const pointers = fields.filter((field) => field.startsWith("/")).flatMap(alsoBeside);
  const names = new Set(fields.filter((field) => !field.startsWith("/")).map((field) => field.toLowerCase()));
  const masking = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, names.has(name.toLowerCase()) ? mark : member]));
  const byName = (value: Json): Json => (names.size === 0 ? value : inEveryObject(value, masking));
  const byPointer = (value: Json): Json =>
    pointers.reduce((masked, pointer) => withFoundChanged(masked, pointer, () => mark), byName(value));
  return (value: JsonObject) => ({ kind: "changed", value: alsoInText(value, byPointer), hides: true });
}

const structured = "/structuredContent";

/** The text of a result and its structured content mostly say the same, the one without the name of the other. */
function alsoBeside(pointer: string): string[] {
  return [pointer, pointer.startsWith(`${structured}/`) ? pointer.slice(structured.length) : `${structured}${pointer}`];
}
