import type { Json, JsonObject } from "@/contracts/common";
import { memberOf, partsOf, placeIn, pointerTo, valueAt } from "./json-pointer";

/** In a pointer of a hook, as in that of a rule: every element of a list, or every member of an object. */
const everyMember = "*";

/** What stands at one of the places that a pointer names; `value` is undefined where it goes on and nothing is there. */
export type Found = { place: string; value: Json | undefined };

/** Whether a pointer may name several places. */
export const namesSeveral = (pointer: string): boolean => partsOf(pointer).includes(everyMember);

/** The places that a pointer names, one after the other. None where `*` stands for the members of what has none. */
export function* foundAt(document: Json, pointer: string): Generator<Found> {
  yield* foundBelow(document, partsOf(pointer), 0, "");
}

function* foundBelow(value: Json | undefined, parts: readonly string[], at: number, place: string): Generator<Found> {
  const part = parts[at];
  if (part === undefined || value === undefined) yield { place, value };
  else if (part !== everyMember) yield* foundBelow(memberOf(value, part), parts, at + 1, pointerTo(place, part));
  else if (typeof value !== "object" || value === null) yield { place: pointerTo(place, part), value: undefined };
  else for (const [name, member] of Object.entries(value)) yield* foundBelow(member, parts, at + 1, pointerTo(place, name));
}

/** The document with something else in place of all that stands where a pointer says. Where nothing does, it stays as it is. */
export function withFoundChanged(document: Json, pointer: string, change: (found: Json) => Json): Json {
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

/** Characters that a value may take up in all of its places together. */
const mostPut = 1_000_000;

/**
 * The document with a value at every place that a pointer names. Objects on the way are made where nothing stands; `-`
 * appends to a list.
 * @throws Error when something stands in the way that has no such member, or the places are too many for the value
 */
export function withEachSet(document: JsonObject, pointer: string, value: Json): JsonObject {
  const length = JSON.stringify(value).length;
  let left = mostPut;
  const parts = partsOf(pointer);
  const cannot = (why = "") => new Error(`nothing can be put at ${pointer}${why}`);
  return set(document, 0) as JsonObject;

  function set(old: Json | undefined, at: number): Json {
    const part = parts[at];
    if (part === undefined) {
      left -= length;
      if (left < 0 && left + length < mostPut) throw cannot(": it stands for too many places");
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
 * The document with a value put where nothing is yet: a member that is missing, or an element of a list, which is put in
 * front of what stands at its place. The same document when the member, or an equal element, is there.
 * @throws Error when something stands in the way that has no such member
 */
export function withInserted(document: JsonObject, pointer: string, value: Json): JsonObject {
  const parts = partsOf(pointer);
  const last = parts.at(-1) ?? "";
  const holder = parts.slice(0, -1).reduce(pointerTo, "");
  const list = valueAt(document, holder);
  if (!Array.isArray(list)) return valueAt(document, pointer) === undefined ? withEachSet(document, pointer, value) : document;
  const wanted = JSON.stringify(value);
  if (list.some((element) => JSON.stringify(element) === wanted)) return document;
  const place = last === "-" ? list.length : placeIn(list, last);
  if (place === null) throw new Error(`nothing can be put at ${pointer}: the list has ${list.length} elements`);
  return withEachSet(document, holder, list.toSpliced(place, 0, value));
}
