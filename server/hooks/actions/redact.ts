import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import { withFoundChanged } from "../every-member";
import { isObject, jsonIn } from "../json-walk";
import type { HookAct } from "../scene";
import { replacing, textPattern } from "../text-patterns";

/**
 * Replaces what a pattern finds, in everything or in what stands below one place: in texts, in names of members that are
 * data (`ann@example.com`) and in long numbers, which may be those of a card. A text that is JSON is also looked through as
 * what it says, where it writes that in another way (`M\u00fcller`).
 */
export function redact({ pattern: source, replacement, pointer }: Extract<HookAction, { type: "redact" }>): HookAct {
  const pattern = textPattern(source);
  const place = pointer ?? "";
  return (value) => {
    const replace = replacing(pattern, replacement);
    const result = withFoundChanged(value, place, (found) => cleaned(found, replace));
    if (!isObject(result)) return { kind: "kept" };
    const isOfText = place === "" || place === "/text" || place === "/*";
    return { kind: "changed", value: isOfText ? cleanInText(result, replacing(pattern, replacement)) : result, hides: true };
  };
}

/** A name that a program gave its member, and no data. */
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
  if (!isObject(value)) return value;
  const members = new Map<string, Json>();
  const taken = new Map<string, number>();
  for (const [name, member] of Object.entries(value)) {
    members.set(freeName(plainName.test(name) ? name : replace(name), members, taken, value), cleaned(member, replace));
  }
  return Object.fromEntries(members);
}

/** Two names that are the same now are still two members; of each it is known how often it was taken. */
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
  const inside = jsonIn(value.text);
  if (inside === undefined) return value;
  const changed = JSON.stringify(cleaned(inside, replace));
  return changed === JSON.stringify(inside) ? value : { ...value, text: changed };
}
