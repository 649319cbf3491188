import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hooks/hook-actions";
import { countTokensOf } from "@/server/platform/text-encoding/tokenizer";
import type { CompiledAction } from "../hook-context";
import { findMatches, hasWildcard } from "../json-pointer-wildcards";
import { mapTexts } from "../json-walk";
import { maxTextChars, maxValueChars } from "../text-patterns";

/** Writes an audit row with the chosen fields of the value. */
export function audit({ note, fields }: Extract<HookAction, { type: "audit" }>): CompiledAction {
  return (value) => {
    const chosen = Object.fromEntries(fields.map((pointer) => [pointer, noted(value, pointer)]));
    return { kind: "kept", ...(note ? { message: note } : {}), data: chosen, audit: { note, fields: chosen } };
  };
}

/** Returns the value at a pointer, null when there is none; a list of values for a pointer with a wildcard. */
function noted(value: JsonObject, pointer: string): Json {
  const found = [...findMatches(value, pointer)].flatMap(({ value: there }) => (there === undefined ? [] : [there]));
  return hasWildcard(pointer) ? found : (found[0] ?? null);
}

/** Counts the tokens of all texts in the value, in the o200k vocabulary. */
export const countTokensAction: CompiledAction = (value) => {
  let tokens = 0;
  let isWhole = true;
  let room = maxValueChars;
  mapTexts(value, (text) => {
    const length = Math.min(text.length, maxTextChars, room);
    room -= length;
    isWhole &&= length === text.length;
    tokens += countTokensOf(text.slice(0, length));
    return text;
  });
  return { kind: "kept", message: `${isWhole ? "" : "More than "}${tokens.toLocaleString("en")} tokens`, data: { tokens, isWhole } };
};
