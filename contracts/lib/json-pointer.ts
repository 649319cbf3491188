import type { Json } from "../common";

/** Returns the unescaped segments of a JSON pointer (RFC 6901). */
export function partsOf(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the JSON pointer of a member or an element of the parent. */
export function pointerTo(parent: string, member: string | number): string {
  return `${parent}/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns the value at a JSON pointer, or undefined. Only own members count, because a model may name `/constructor`. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const part of partsOf(pointer)) value = memberOf(value, part);
  return value;
}

/** Returns the member or element that a segment names, or undefined. */
export function memberOf(value: Json | undefined, part: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(part) ? value[Number(part)] : undefined;
  return value && typeof value === "object" && Object.hasOwn(value, part) ? value[part] : undefined;
}

/** Returns the index that a segment names in a list, up to and including its length; null for any other segment. */
export function placeIn(list: readonly Json[], part: string): number | null {
  const place = /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1;
  return place < 0 || place > list.length ? null : place;
}
