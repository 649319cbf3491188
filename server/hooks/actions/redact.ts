import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import { valueAt, withValueAt } from "../json-pointer";
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
  const clean = (value: Json) => cleaned(value, replacing(pattern, replacement));
  const place = pointer ?? "";
  return (value) => {
    const found = valueAt(value, place);
    if (found === undefined) return { kind: "kept" };
    const result = place === "" ? clean(found) : withValueAt(value, place, clean(found));
    if (!isObject(result)) return { kind: "kept" };
    return { kind: "changed", value: place === "" || place === "/text" ? cleanInText(result, clean) : result, hides: true };
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
  for (const [name, member] of Object.entries(value)) {
    members.set(freeName(plainName.test(name) ? name : replace(name), members, value), cleaned(member, replace));
  }
  return Object.fromEntries(members);
}

/** Two names that are the same now are still two members. */
function freeName(name: string, taken: ReadonlyMap<string, Json>, before: JsonObject): string {
  let free = name;
  for (let count = 2; taken.has(free) || (free !== name && Object.hasOwn(before, free)); count += 1) free = `${name} (${count})`;
  return free;
}

function cleanInText(value: JsonObject, clean: (value: Json) => Json): JsonObject {
  if (typeof value.text !== "string" || !value.text.includes("\\")) return value;
  const inside = jsonIn(value.text);
  if (inside === undefined) return value;
  const changed = JSON.stringify(clean(inside));
  return changed === JSON.stringify(inside) ? value : { ...value, text: changed };
}
