import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import { alsoInText, inEveryObject, isObject } from "../json-walk";
import type { HookAct } from "../scene";
import { budgetOfValue, isFound, longestText, textPattern } from "../text-patterns";

/** Members that every result has; to keep only some fields is not to lose the result itself. */
const frame = new Set(["text", "structuredContent"]);

/** Leaves members or lines out of a result or a reply. */
export function filter({ keep, drop, lines }: Extract<HookAction, { type: "filter" }>): HookAct {
  const kept = new Set(keep);
  const dropped = new Set(drop);
  const pattern = lines ? textPattern(lines.pattern) : null;
  const dropping = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).filter(([name]) => !dropped.has(name)));
  const withoutDropped = (value: Json): Json => (dropped.size === 0 ? value : inEveryObject(value, dropping));
  // Of an object or of each object in a list: what `keep` does not name goes, at the outermost level that holds fields.
  const onlyKept = (value: Json): Json => {
    if (kept.size === 0) return value;
    if (Array.isArray(value)) return value.map(onlyKept);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => kept.has(name) || frame.has(name))
        .map(([name, member]) => [name, name === "structuredContent" ? onlyKept(member) : member]),
    );
  };
  return (value) => {
    const filtered = alsoInText(value, (part) => onlyKept(withoutDropped(part)));
    if (!pattern || !lines || typeof filtered.text !== "string") return { kind: "changed", value: filtered, hides: true };
    const budget = budgetOfValue();
    // A line that would take too long to be looked through is left out, whichever lines are.
    const left = filtered.text
      .slice(0, longestText)
      .split("\n")
      .filter((line) => isFound(pattern, line, budget) === lines.keep);
    return { kind: "changed", value: { ...filtered, text: left.join("\n") }, hides: true };
  };
}
