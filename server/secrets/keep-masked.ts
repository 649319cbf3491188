import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { maskSecrets } from "./mask-secrets";

/** A value with its secrets restored; `lost` is the path of the first mask that could not be replaced by its secret. */
export type Unmasked = { value: JsonObject; lost: string | null };

/**
 * Restores the secrets of a masked value that a person edited. A mask is replaced only at its original place: a moved mask
 * would carry its secret to a place where no approver saw it, so `lost` names its path instead.
 */
export function keepMasked(edited: JsonObject, original: JsonObject): Unmasked {
  const masked = maskSecrets(original);
  const masks = new Set<string>();
  collectMasks(masked, original, masks);
  let lost: string | null = null;
  const restore = (value: Json, shown: Json | undefined, kept: Json | undefined, path: string): Json => {
    if (typeof value === "string") {
      if (value === shown && typeof kept === "string") return kept;
      const own = typeof shown === "string" && typeof kept === "string" ? masksOf(shown, kept) : [];
      const ownMasks = new Set(own.map(([mask]) => mask));
      const words = value.split(/(\s+)/);
      if (words.some((word) => !ownMasks.has(word) && [...masks].some((mask) => word.includes(mask)))) lost ??= path;
      // Equal masks may stand for different secrets. Secrets are restored only if all masks are present in their order.
      const places = words.flatMap((word, place) => (ownMasks.has(word) ? [place] : []));
      if (places.length === 0) return value;
      const isInOrder = places.length === own.length && places.every((place, index) => words[place] === own[index]?.[0]);
      if (!isInOrder) lost ??= path;
      const secretAt = new Map(places.map((place, index) => [place, own[index]?.[1]]));
      return words.map((word, place) => (isInOrder ? (secretAt.get(place) ?? word) : word)).join("");
    }
    if (Array.isArray(value)) {
      // After a list's length has changed, its members cannot be matched to their originals.
      const isSameLength = Array.isArray(shown) && shown.length === value.length;
      const [from, of] = isSameLength ? [shown, kept] : [undefined, undefined];
      return value.map((member, index) => restore(member, memberOf(from, index), memberOf(of, index), `${path}.${index}`));
    }
    if (!isJsonObject(value)) return value;
    const names =
      isJsonObject(shown) && isJsonObject(kept)
        ? new Map(Object.keys(shown).map((name, index) => [name, Object.keys(kept)[index] ?? name]))
        : null;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const keptName = names?.get(name) ?? name;
        const inner = isJsonObject(shown) ? shown[name] : undefined;
        return [keptName, restore(member, inner, isJsonObject(kept) ? kept[keptName] : undefined, path === "" ? name : `${path}.${name}`)];
      }),
    );
  };
  return { value: restore(edited, masked, original, "") as JsonObject, lost };
}

const memberOf = (list: Json | undefined, index: number) => (Array.isArray(list) ? list[index] : undefined);

/** Collects every mask of a value, at any depth. */
function collectMasks(masked: Json | undefined, value: Json, masks: Set<string>): void {
  if (typeof value === "string") {
    if (typeof masked === "string" && masked !== value) for (const [mask] of masksOf(masked, value)) masks.add(mask);
  } else if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) collectMasks(memberOf(masked, index), member, masks);
  } else if (isJsonObject(value) && isJsonObject(masked)) {
    // `maskSecrets` keeps the order of members, so both objects are matched by index.
    const shown = Object.values(masked);
    for (const [index, member] of Object.values(value).entries()) collectMasks(shown[index], member, masks);
  }
}

/** Pairs masked words with their originals; pairs the whole texts when the numbers of words differ. */
function masksOf(masked: string, text: string): [mask: string, secret: string][] {
  const maskedWords = masked.split(/\s+/);
  const words = text.split(/\s+/);
  if (maskedWords.length !== words.length) return [[masked, text]];
  return maskedWords.flatMap((mask, index): [string, string][] => (mask === words[index] ? [] : [[mask, words[index] ?? ""]]));
}
