import type { HookAction } from "@/contracts/hooks/hook-actions";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { CompiledAction } from "../hook-context";
import { changeMatches } from "../json-pointer-wildcards";
import { mapTexts } from "../json-walk";

/** Cuts long texts and marks the end of each cut text. */
export function truncate({ maxChars, pointer }: Extract<HookAction, { type: "truncate" }>): CompiledAction {
  const cut = (text: string) =>
    text.length <= maxChars ? text : `${text.slice(0, maxChars).toWellFormed()}… [cut: ${text.length - maxChars} characters more]`;
  return (value) => {
    const result = changeMatches(value, pointer ?? "", (found) => mapTexts(found, cut));
    return isJsonObject(result) ? { kind: "changed", value: result } : { kind: "kept" };
  };
}
