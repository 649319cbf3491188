import type { Json } from "@/contracts/common";

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

/** The member of that name, or the element at that place; undefined when there is none. */
export function memberOf(value: Json | undefined, part: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(part) ? value[Number(part)] : undefined;
  return value && typeof value === "object" && Object.hasOwn(value, part) ? value[part] : undefined;
}

/** The place of a list that a part of a pointer means, the one behind its end among them; null for what is none. */
export function placeIn(list: readonly Json[], part: string): number | null {
  const place = /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1;
  return place < 0 || place > list.length ? null : place;
}
