import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hooks/hook-actions";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { CompiledAction } from "../hook-context";
import { changeJsonInText, inEveryObject } from "../json-walk";
import { lineFilter } from "./filter-lines";

/** Members of every result. `keep` never drops them, because keeping some fields must not lose the result itself. */
const frame = new Set(["text", "structuredContent"]);

/** Leaves members or lines out of a result or a reply. */
export function filter({ keep, drop, lines }: Extract<HookAction, { type: "filter" }>): CompiledAction {
  const kept = new Set(keep);
  const dropped = new Set(drop);
  const withoutLines = lines ? lineFilter(lines) : (value: JsonObject) => value;
  const dropping = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).filter(([name]) => !dropped.has(name)));
  const withoutDropped = (value: Json): Json => (dropped.size === 0 ? value : inEveryObject(value, dropping));
  // Drops members that `keep` does not name, from the outermost object or from each object of an outermost list.
  const onlyKept = (value: Json): Json => {
    if (kept.size === 0) return value;
    if (Array.isArray(value)) return value.map(onlyKept);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => kept.has(name) || frame.has(name))
        .map(([name, member]) => [name, name === "structuredContent" ? onlyKept(member) : member]),
    );
  };
  return (value) => {
    const filtered = changeJsonInText(value, (part) => onlyKept(withoutDropped(part)));
    return { kind: "changed", value: withoutLines(filtered), hides: true };
  };
}
