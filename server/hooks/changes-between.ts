import type { Json, JsonObject } from "@/contracts/common";
import type { HookChange } from "@/contracts/hooks";
import { maskSecrets } from "@/server/audit/mask-secrets";
import { storableObject, storableText } from "@/server/platform/storable";
import { pointerTo } from "./json-pointer";
import { isObject } from "./json-walk";

const mostChanges = 50;
const longestShown = 500;

/**
 * Every place at which two values differ, secrets masked; for a hook that hides, what stood there before is left out. Where
 * that hides more places than are told, those are told that hold them: what is hidden is known by its place.
 */
export function changesBetween(
  before: JsonObject,
  after: JsonObject,
  { hides }: { hides: boolean },
  deepest = Number.POSITIVE_INFINITY,
): HookChange[] {
  const changes: HookChange[] = [];
  collect("", "", before, after, deepest);
  return changes.length <= mostChanges
    ? changes
    : hides && deepest > 0
      ? changesBetween(before, after, { hides }, Math.min(deepest, 2) - 1)
      : changes.slice(0, mostChanges);

  function collect(path: string, name: string, old: Json | undefined, now: Json | undefined, left: number): void {
    if (changes.length > mostChanges || isSame(old, now)) return;
    if (left > 0 && isObject(old) && isObject(now) && !(hides && hidesName(old, now))) {
      for (const member of new Set([...Object.keys(old), ...Object.keys(now)])) {
        collect(pointerTo(path, member), member, own(old, member), own(now, member), left - 1);
      }
    } else if (left > 0 && Array.isArray(old) && Array.isArray(now) && old.length === now.length) {
      for (const [place, element] of old.entries()) collect(pointerTo(path, place), name, element, now[place], left - 1);
    } else {
      changes.push({
        path: storableText(path),
        ...(old === undefined || hides ? {} : { before: shown(name, old) }),
        ...(now === undefined || left <= 0 ? {} : { after: shown(name, now) }),
        hidden: hides,
      });
    }
  }
}

/** Whether a member went whose name may itself be what is hidden: it must not stand in a path. */
function hidesName(old: JsonObject, now: JsonObject): boolean {
  return Object.keys(old).some((name) => !Object.hasOwn(now, name) && !/^[A-Za-z_$][\w$-]*$/.test(name));
}

/**
 * What hooks that hide something have hidden must not stand in the record of those before them, which still saw it, and
 * neither in what is kept of the value as it was sent.
 */
export function hiddenPlaces(changes: readonly HookChange[]): string[] {
  return changes.filter(({ hidden }) => hidden).map(({ path }) => path);
}

/** Changes without what stood at places that others hide. */
export function withoutHidden(changes: readonly HookChange[], places: readonly string[]): HookChange[] {
  return changes.map((change) => {
    const place = places.find((place) => touches(change.path, place));
    if (place === undefined) return change;
    // What lies inside a place that is hidden as a whole may have a name that is hidden, too.
    return { path: change.path.startsWith(place) ? place : change.path, hidden: true };
  });
}

/** One of the places is the other, or lies inside it. */
const touches = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

const own = (value: JsonObject, name: string): Json | undefined => (Object.hasOwn(value, name) ? value[name] : undefined);

const isSame = (a: Json | undefined, b: Json | undefined): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Masked with its name, because a name such as `password` says more than the value; and such that it can be stored. */
function shown(name: string, value: Json): Json {
  const masked = Object.values(storableObject(maskSecrets({ [name]: value }) as JsonObject))[0] ?? null;
  const text = typeof masked === "string" ? masked : JSON.stringify(masked);
  return text.length <= longestShown ? masked : `${text.slice(0, longestShown).toWellFormed()}…`;
}
