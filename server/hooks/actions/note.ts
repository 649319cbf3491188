import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import { foundAt, namesSeveral } from "../every-member";
import { mapTexts } from "../json-walk";
import type { HookAct } from "../scene";
import { longestText, mostText } from "../text-patterns";

/** Writes an audit row with some of what it sees. */
export function audit({ note, fields }: Extract<HookAction, { type: "audit" }>): HookAct {
  return (value) => {
    const chosen = Object.fromEntries(fields.map((pointer) => [pointer, noted(value, pointer)]));
    return { kind: "kept", ...(note ? { message: note } : {}), data: chosen, audit: { note, fields: chosen } };
  };
}

/** What stands at a place, null for nothing; of several places, a list of it. */
function noted(value: JsonObject, pointer: string): Json {
  const found = [...foundAt(value, pointer)].flatMap(({ value: there }) => (there === undefined ? [] : [there]));
  return namesSeveral(pointer) ? found : (found[0] ?? null);
}

/** Counts the tokens of everything that is text in it, in the o200k vocabulary. */
export const countTokensOf: HookAct = (value) => {
  let tokens = 0;
  let isWhole = true;
  let room = mostText;
  mapTexts(value, (text) => {
    const length = Math.min(text.length, longestText, room);
    room -= length;
    isWhole &&= length === text.length;
    tokens += countTokens(text.slice(0, length), { disallowedSpecial: new Set() });
    return text;
  });
  return { kind: "kept", message: `${isWhole ? "" : "More than "}${tokens.toLocaleString("en")} tokens`, data: { tokens, isWhole } };
};
