import type { Json, JsonObject } from "@/contracts/common";
import { memberOf, partsOf, placeIn, pointerTo, valueAt } from "@/contracts/lib/json-pointer";

/** Wildcard in the pointers of hooks and rules: every element of a list, or every member of an object. */
const everyMember = "*";

/** One place that a pointer names, with its value; `value` is undefined when the place does not exist. */
export type PointerMatch = { place: string; value: Json | undefined };

/** Tells whether a pointer may name several places. */
export const hasWildcard = (pointer: string): boolean => partsOf(pointer).includes(everyMember);

/** Yields the places that a pointer names. A `*` for an empty list or object yields none. */
export function* findMatches(document: Json, pointer: string): Generator<PointerMatch> {
  yield* findMatchesBelow(document, partsOf(pointer), 0, "");
}

function* findMatchesBelow(value: Json | undefined, parts: readonly string[], at: number, place: string): Generator<PointerMatch> {
  const part = parts[at];
  if (part === undefined || value === undefined) yield { place, value };
  else if (part !== everyMember) yield* findMatchesBelow(memberOf(value, part), parts, at + 1, pointerTo(place, part));
  else if (typeof value !== "object" || value === null) yield { place: pointerTo(place, part), value: undefined };
  else for (const [name, member] of Object.entries(value)) yield* findMatchesBelow(member, parts, at + 1, pointerTo(place, name));
}

/** Returns a document in which `change` replaced each value that a pointer names. Missing places stay missing. */
export function changeMatches(document: Json, pointer: string, change: (found: Json) => Json): Json {
  return changedBelow(document, partsOf(pointer), 0, change);
}

function changedBelow(value: Json, parts: readonly string[], at: number, change: (found: Json) => Json): Json {
  const part = parts[at];
  if (part === undefined) return change(value);
  if (typeof value !== "object" || value === null || (part !== everyMember && memberOf(value, part) === undefined)) return value;
  const below = (member: Json) => changedBelow(member, parts, at + 1, change);
  if (Array.isArray(value)) {
    return part === everyMember ? value.map(below) : value.with(Number(part), below(value[Number(part)] ?? null));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, part === everyMember || name === part ? below(member) : member]),
  );
}

/** Characters that a value may take up in all places together. */
const maxPutChars = 1_000_000;

/**
 * Returns a document with a value at every place that a pointer names. Creates missing objects on the way; `-` appends to a
 * list.
 * @throws Error when a value on the way cannot have such a member, or the value is too long for so many places
 */
export function setMatches(document: JsonObject, pointer: string, value: Json): JsonObject {
  const length = JSON.stringify(value).length;
  let left = maxPutChars;
  const parts = partsOf(pointer);
  const cannot = (why = "") => new Error(`nothing can be put at ${pointer}${why}`);
  return set(document, 0) as JsonObject;

  function set(old: Json | undefined, at: number): Json {
    const part = parts[at];
    if (part === undefined) {
      left -= length;
      if (left < 0 && left + length < maxPutChars) throw cannot(": it stands for too many places");
      return value;
    }
    if (old !== undefined && (typeof old !== "object" || old === null)) throw cannot();
    if (Array.isArray(old)) {
      if (part === everyMember) return old.map((element) => set(element, at + 1));
      const place = part === "-" ? old.length : placeIn(old, part);
      if (place === null) throw cannot(`: the list has ${old.length} elements`);
      return old.toSpliced(place, 1, set(old[place], at + 1));
    }
    const members = Object.entries(old ?? {});
    if (part === everyMember) return Object.fromEntries(members.map(([name, member]) => [name, set(member, at + 1)]));
    return Object.fromEntries([...members, [part, set(memberOf(old, part), at + 1)]]);
  }
}

/**
 * Returns a document with a value at an empty place: as a missing member, or as a list element before the element at that
 * index. Returns the same document when the member, or an equal element, is present.
 * @throws Error when a value on the way cannot have such a member
 */
export function insertAtPointer(document: JsonObject, pointer: string, value: Json): JsonObject {
  const parts = partsOf(pointer);
  const last = parts.at(-1) ?? "";
  const holder = parts.slice(0, -1).reduce(pointerTo, "");
  const list = valueAt(document, holder);
  if (!Array.isArray(list)) return valueAt(document, pointer) === undefined ? setMatches(document, pointer, value) : document;
  const wanted = JSON.stringify(value);
  if (list.some((element) => JSON.stringify(element) === wanted)) return document;
  const place = last === "-" ? list.length : placeIn(list, last);
  if (place === null) throw new Error(`nothing can be put at ${pointer}: the list has ${list.length} elements`);
  return setMatches(document, holder, list.toSpliced(place, 0, value));
}
