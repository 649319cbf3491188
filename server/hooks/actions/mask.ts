import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hooks/hook-actions";
import type { CompiledAction } from "../hook-context";
import { changeMatches } from "../json-pointer-wildcards";
import { changeJsonInText, inEveryObject } from "../json-walk";

const mark = "***";

/**
 * Replaces fields with `***`: by case-insensitive name at any depth, or by JSON pointer. Masks the text of a result and its
 * structured content.
 */
export function mask({ fields }: Extract<HookAction, { type: "mask" }>): CompiledAction {
  const pointers = fields.filter((field) => field.startsWith("/")).flatMap(alsoBeside);
  const names = new Set(fields.filter((field) => !field.startsWith("/")).map((field) => field.toLowerCase()));
  const masking = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, names.has(name.toLowerCase()) ? mark : member]));
  const byName = (value: Json): Json => (names.size === 0 ? value : inEveryObject(value, masking));
  const byPointer = (value: Json): Json => pointers.reduce((masked, pointer) => changeMatches(masked, pointer, () => mark), byName(value));
  return (value: JsonObject) => ({ kind: "changed", value: changeJsonInText(value, byPointer), hides: true });
}

const structured = "/structuredContent";

/** Adds the same pointer for the other form of a result, because text and `structuredContent` mostly hold the same data. */
function alsoBeside(pointer: string): string[] {
  return [pointer, pointer.startsWith(`${structured}/`) ? pointer.slice(structured.length) : `${structured}${pointer}`];
}
