import type { Json, JsonObject } from "@/contracts/common";
import { maxArgumentDepth, shapeOf } from "@/server/platform/json-shape";

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A copy in which every text is what a function makes of it. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]));
}

/**
 * A result's text is often JSON. What changes members changes them there too, so that a field that is masked is not left
 * readable in the text beside it.
 */
export function alsoInText(value: JsonObject, change: (value: Json) => Json): JsonObject {
  const result = change(value);
  if (!isObject(result)) return value;
  const inside = typeof result.text === "string" ? jsonIn(result.text) : undefined;
  if (inside === undefined) return result;
  const changed = JSON.stringify(change(inside));
  return changed === JSON.stringify(inside) ? result : { ...result, text: changed };
}

/** What a text says that is JSON; undefined for every other. */
export function jsonIn(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return shapeOf(value).depth <= maxArgumentDepth ? value : undefined;
  } catch {
    return undefined;
  }
}
