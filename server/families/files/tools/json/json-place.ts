import { setImmediate } from "node:timers/promises";
import { partsOf, pointerTo } from "@/contracts/lib/json-pointer";
import { AppError } from "@/server/platform/errors";
import type { JsonMember, JsonText } from "./json-text";

const maxSegments = 100;

/**
 * Returns the segments of a place: a JSON pointer (`/users/0/name`), a dot path (`users[0].name`), or "" for the whole.
 * @throws AppError `invalid` for a path that fits neither form
 */
export function segmentsOf(given: string): string[] {
  const segments = given.startsWith("/") ? partsOf(given) : dotSegments(given);
  if (segments.length <= maxSegments) return segments;
  throw new AppError("invalid", `pointer has ${segments.length} segments, and at most ${maxSegments} are followed. Read an outer value.`);
}

function dotSegments(given: string): string[] {
  const rest = given
    .trim()
    .replace(/^\$(?=$|[.[])/, "")
    .replace(/^\.(?=[^.]|$)/, "");
  if (rest === "") return [];
  const segments: string[] = [];
  const step = /(?:^|\.)([^.[\]]+)|\[(\d+|-)\]|\["((?:[^"\\]|\\.)*)"\]/y;
  for (let at = 0; at < rest.length; at = step.lastIndex) {
    step.lastIndex = at;
    const [whole, name, index, quoted] = step.exec(rest) ?? [];
    if (whole === undefined) {
      throw new AppError("invalid", `pointer cannot be read at \`${rest.slice(at, at + 40)}\`. Send a JSON pointer such as /users/0/name.`);
    }
    segments.push(name ?? index ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1"));
  }
  return segments;
}

export const pointerOf = (segments: readonly (string | number)[]): string => segments.reduce<string>(pointerTo, "");

/** Returns the member that a segment names; null when there is none. The last of several equal names counts, as for parsers. */
export function memberAt(json: JsonText, start: number, segment: string): JsonMember | null {
  const kind = json.kindAt(start);
  if (kind !== "object" && kind !== "list") return null;
  let found: JsonMember | null = null;
  for (const member of json.members(start)) {
    if (String(member.name) !== segment) continue;
    if (kind === "list") return member;
    found = member;
  }
  return found;
}

/** Returns where the value of a place begins; what follows it is not read. @throws AppError `not_found` that says what there is instead. */
export function startOf(json: JsonText, segments: readonly string[]): number {
  let start = json.start();
  for (const [depth, segment] of segments.entries()) {
    const member = memberAt(json, start, segment);
    if (!member) throw missing(json, start, segments.slice(0, depth), segment);
    start = member.start;
  }
  return start;
}

/** Finds the place as `startOf` does, and lets other work run meanwhile, because a large document takes a second. */
export async function findStart(json: JsonText, segments: readonly string[]): Promise<number> {
  let start = json.start();
  for (const [depth, segment] of segments.entries()) {
    const kind = json.kindAt(start);
    let found: JsonMember | null = null;
    if (kind === "object" || kind === "list") {
      for await (const member of patiently(json.members(start))) {
        if (String(member.name) !== segment) continue;
        found = member;
        if (kind === "list") break;
      }
    }
    if (!found) throw missing(json, start, segments.slice(0, depth), segment);
    start = found.start;
  }
  return start;
}

const yieldEvery = 2_000;

/** Yields the members of a long list, with pauses in which other work of the process runs. */
export async function* patiently<T>(members: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const member of members) {
    yield member;
    count += 1;
    if (count % yieldEvery === 0) await setImmediate();
  }
}

/** Explains why a value has no such member. */
export function missing(json: JsonText, start: number, parents: readonly string[], segment: string): AppError {
  const where = parents.length === 0 ? "The document" : pointerOf(parents);
  const kind = json.kindAt(start);
  if (kind !== "object" && kind !== "list") {
    return new AppError("not_found", `${where} in ${json.path} is a ${kind}, so it has no member ${segment}. Shorten pointer.`);
  }
  const names: (string | number)[] = [];
  let count = 0;
  for (const { name } of json.members(start)) {
    count += 1;
    if (names.length < 20) names.push(name);
  }
  if (kind === "list") {
    return new AppError("not_found", `${where} in ${json.path} is a list of ${count}, so it has no element ${segment}. The first is 0.`);
  }
  const more = count > names.length ? " and more" : "";
  const has = count === 0 ? "no members" : `${names.map((name) => String(name).slice(0, 60)).join(", ")}${more}`;
  return new AppError("not_found", `${where} in ${json.path} has no member ${segment}. It has ${has}.`);
}
