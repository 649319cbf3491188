import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hooks/hook-actions";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { CompiledAction } from "../hook-context";
import { changeMatches } from "../json-pointer-wildcards";
import { parseJsonText } from "../json-walk";
import { replacing, textPattern } from "../text-patterns";

/**
 * Replaces the matches of a pattern in the whole value or below one pointer: in texts, in member names that are data
 * (`ann@example.com`) and in long numbers, which may be card numbers. A text that is JSON with escapes is also searched
 * after parsing, because the pattern would miss `M\u00fcller`.
 */
export function redact({ pattern: source, replacement, pointer }: Extract<HookAction, { type: "redact" }>): CompiledAction {
  const pattern = textPattern(source);
  const place = pointer ?? "";
  return (value) => {
    const replace = replacing(pattern, replacement);
    const result = changeMatches(value, place, (found) => cleaned(found, replace));
    if (!isJsonObject(result)) throw new Error("what it left is not an object any more");
    const isOfText = place === "" || place === "/text" || place === "/*";
    return { kind: "changed", value: isOfText ? cleanInText(result, replacing(pattern, replacement)) : result, hides: true };
  };
}

/** A member name chosen by a program, as opposed to a name that is data. */
const plainName = /^[A-Za-z_$][\w$-]*$/;
const longNumber = 100_000_000;

function cleaned(value: Json, replace: (text: string) => string): Json {
  if (typeof value === "string") return replace(value);
  if (typeof value === "number") {
    if (Math.abs(value) < longNumber) return value;
    const text = String(value);
    const replaced = replace(text);
    return replaced === text ? value : replaced;
  }
  if (Array.isArray(value)) return value.map((element) => cleaned(element, replace));
  if (!isJsonObject(value)) return value;
  const members = new Map<string, Json>();
  const taken = new Map<string, number>();
  for (const [name, member] of Object.entries(value)) {
    members.set(freeName(plainName.test(name) ? name : replace(name), members, taken, value), cleaned(member, replace));
  }
  return Object.fromEntries(members);
}

/** Returns a name that is not in use, because two names may be equal after replacement. `taken` counts the uses of a name. */
function freeName(name: string, members: ReadonlyMap<string, Json>, taken: Map<string, number>, before: JsonObject): string {
  let free = name;
  let count = taken.get(name) ?? 1;
  while (members.has(free) || (free !== name && Object.hasOwn(before, free))) {
    count += 1;
    free = `${name} (${count})`;
  }
  taken.set(name, count);
  return free;
}

function cleanInText(value: JsonObject, replace: (text: string) => string): JsonObject {
  if (typeof value.text !== "string" || !value.text.includes("\\")) return value;
  const inside = parseJsonText(value.text);
  if (inside === undefined) return value;
  const changed = JSON.stringify(cleaned(inside, replace));
  return changed === JSON.stringify(inside) ? value : { ...value, text: changed };
}
