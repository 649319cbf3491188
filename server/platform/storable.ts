import type { Json, JsonObject } from "@/contracts/common";

/** Postgres stores every text but those with a NUL character or half of a surrogate pair. */
export function isStorable(value: Json): boolean {
  if (typeof value === "string") return storableText(value) === value;
  if (Array.isArray(value)) return value.every(isStorable);
  return !isObject(value) || Object.entries(value).every(([name, member]) => isStorable(name) && isStorable(member));
}

/** Where in a value a text or a name stands that Postgres cannot store, as the names on the way to it; null: nowhere. */
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

/** The text with U+FFFD in place of what cannot be stored. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u{fffd}");
}

/** A copy of an object with U+FFFD in place of what cannot be stored. */
export function storableObject(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storable(member)]));
}

function storable(value: Json): Json {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  return isObject(value) ? storableObject(value) : value;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
