import type { HookAction } from "@/contracts/hook-actions";
import { withFoundChanged } from "../every-member";
import { isObject, mapTexts } from "../json-walk";
import type { HookAct } from "../scene";

/** Cuts long texts, and says so at the end of each. */
export function truncate({ maxChars, pointer }: Extract<HookAction, { type: "truncate" }>): HookAct {
  const cut = (text: string) =>
    text.length <= maxChars ? text : `${text.slice(0, maxChars).toWellFormed()}… [cut: ${text.length - maxChars} characters more]`;
  return (value) => {
    const result = withFoundChanged(value, pointer ?? "", (found) => mapTexts(found, cut));
    return isObject(result) ? { kind: "changed", value: result } : { kind: "kept" };
  };
}
