import type { Json, JsonObject } from "@/contracts/common";

/** The members that a JSON pointer (RFC 6901) walks through. */
export function partsOf(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A pointer one level further down. */
export function pointerTo(parent: string, member: string | number): string {
  return `${parent}/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** What stands at a place; undefined when there is nothing. Only own members count: a model may ask for `/constructor`. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const part of partsOf(pointer)) value = memberOf(value, part);
  return value;
}

/**
 * The document with another value at a place. Objects on the way are made where nothing stands; `-` appends to a list.
 * @throws Error when something stands in the way that has no such member
 */
export function withValueAt(document: JsonObject, pointer: string, value: Json): JsonObject {
  return changed(document, partsOf(pointer), pointer, () => value) as JsonObject;
}

/**
 * The document with a value put where nothing is yet: a member that is missing, or an element of a list, which is put in
 * front of what stands at its place. The same document when the member, or an equal element, is there.
 * @throws Error when something stands in the way that has no such member
 */
export function withInserted(document: JsonObject, pointer: string, value: Json): JsonObject {
  const parts = partsOf(pointer);
  const last = parts.at(-1) ?? "";
  const parent = valueAt(document, parts.slice(0, -1).reduce(pointerTo, ""));
  if (!Array.isArray(parent)) return valueAt(document, pointer) === undefined ? withValueAt(document, pointer, value) : document;
  const wanted = JSON.stringify(value);
  if (parent.some((element) => JSON.stringify(element) === wanted)) return document;
  const list = parent.toSpliced(last === "-" ? parent.length : indexIn(parent, last, pointer), 0, value);
  return changed(document, parts.slice(0, -1), pointer, () => list) as JsonObject;
}

function memberOf(value: Json | undefined, part: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(part) ? value[Number(part)] : undefined;
  return value && typeof value === "object" && Object.hasOwn(value, part) ? value[part] : undefined;
}

function changed(value: Json | undefined, parts: readonly string[], pointer: string, change: (old: Json | undefined) => Json): Json {
  const [part, ...rest] = parts;
  if (part === undefined) return change(value);
  if (Array.isArray(value)) {
    const place = part === "-" ? value.length : indexIn(value, part, pointer);
    return value.toSpliced(place, 1, changed(value[place], rest, pointer, change));
  }
  if (value !== undefined && (typeof value !== "object" || value === null)) throw new Error(`nothing can be put at ${pointer}`);
  return Object.fromEntries([...Object.entries(value ?? {}), [part, changed(memberOf(value, part), rest, pointer, change)]]);
}

function indexIn(list: readonly Json[], part: string, pointer: string): number {
  const place = /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1;
  if (place < 0 || place > list.length) throw new Error(`nothing can be put at ${pointer}: the list has ${list.length} elements`);
  return place;
}
