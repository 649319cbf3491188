import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** Returns true when Postgres can store a value: no text in it has a NUL character or half of a surrogate pair. */
export function isStorable(value: Json): boolean {
  if (typeof value === "string") return storableText(value) === value;
  if (Array.isArray(value)) return value.every(isStorable);
  return !isJsonObject(value) || Object.entries(value).every(([name, member]) => isStorable(name) && isStorable(member));
}

/** Returns the path of the first text or name in a value that Postgres cannot store; null when everything is storable. */
export function unstorablePlace(value: unknown): string[] | null {
  if (typeof value === "string") return storableText(value) === value ? null : [];
  if (typeof value !== "object" || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    if (storableText(name) !== name) return [storableText(name)];
    const place = unstorablePlace(member);
    if (place) return [name, ...place];
  }
  return null;
}

/** Replaces unstorable characters with U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u{fffd}");
}

/** Copies an object with U+FFFD for unstorable characters, and null for numbers that JSON does not have. */
export function storableObject(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storable(member)]));
}

function storable(value: Json): Json {
  if (typeof value === "string") return storableText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(storable);
  return isJsonObject(value) ? storableObject(value) : value;
}
