import type { Json, JsonObject } from "@/contracts/common";
import type { HookChange } from "@/contracts/hooks/hooks";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { pointerTo } from "@/contracts/lib/json-pointer";
import { storableObject, storableText } from "@/server/platform/database/storable";
import { maskSecrets } from "@/server/secrets/mask-secrets";

const maxChanges = 50;
const maxShownChars = 500;

/**
 * Lists every place at which two values differ, with secrets masked. For a hook that hides, the value before is left out.
 * When such a hook changes more than 50 places, the list names their parents instead: no hidden place may be missing from
 * the list, because `withoutHidden` knows hidden values by their place only.
 */
export function changesBetween(
  before: JsonObject,
  after: JsonObject,
  { hides }: { hides: boolean },
  deepest = Number.POSITIVE_INFINITY,
): HookChange[] {
  const changes: HookChange[] = [];
  collect("", "", before, after, deepest);
  return changes.length <= maxChanges
    ? changes
    : hides && deepest > 0
      ? changesBetween(before, after, { hides }, Math.min(deepest, 2) - 1)
      : changes.slice(0, maxChanges);

  function collect(path: string, name: string, old: Json | undefined, now: Json | undefined, left: number): void {
    if (changes.length > maxChanges || isSame(old, now)) return;
    if (left > 0 && isJsonObject(old) && isJsonObject(now) && !(hides && hidesName(old, now))) {
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

/** Tells whether a member is gone whose name may itself be hidden data, so that the name must not appear in a path. */
function hidesName(old: JsonObject, now: JsonObject): boolean {
  return Object.keys(old).some((name) => !Object.hasOwn(now, name) && !/^[A-Za-z_$][\w$-]*$/.test(name));
}

/**
 * Returns the places that hooks have hidden. Their values must not appear in the records of earlier hooks, which still saw
 * them, nor in the stored value that was sent.
 */
export function findHiddenPlaces(changes: readonly HookChange[]): string[] {
  return changes.filter(({ hidden }) => hidden).map(({ path }) => path);
}

/** Removes the values of changes at places that other hooks hide. */
export function withoutHidden(changes: readonly HookChange[], places: readonly string[]): HookChange[] {
  return changes.map((change) => {
    const place = places.find((place) => touches(change.path, place));
    if (place === undefined) return change;
    // A path inside a hidden place is cut to that place, because the member's name may be hidden data too.
    return { path: change.path.startsWith(place) ? place : change.path, hidden: true };
  });
}

/** Tells whether two places are equal or one lies inside the other. */
const touches = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

const own = (value: JsonObject, name: string): Json | undefined => (Object.hasOwn(value, name) ? value[name] : undefined);

const isSame = (a: Json | undefined, b: Json | undefined): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Returns a value to show: storable, cut, and masked under its name, because a name such as `password` marks a secret. */
function shown(name: string, value: Json): Json {
  const masked = Object.values(storableObject(maskSecrets({ [name]: value }) as JsonObject))[0] ?? null;
  const text = typeof masked === "string" ? masked : JSON.stringify(masked);
  return text.length <= maxShownChars ? masked : `${text.slice(0, maxShownChars).toWellFormed()}…`;
}
