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

/** JSON in texts of JSON in texts: what goes further is no data of anybody. */
const mostLayers = 4;

/**
 * The same for every text at any depth, for what changes members by their name: a reply of a tool stands as JSON in a
 * message to a model, line by line in a log, or as a text in another reply.
 * @param change what becomes of an object, or of a list; its members are changed after it
 */
export function inEveryObject(value: Json, change: (value: JsonObject) => JsonObject, layer = 0): Json {
  if (typeof value === "string") return layer < mostLayers ? inJsonOf(value, change, layer + 1) : value;
  if (Array.isArray(value)) return value.map((element) => inEveryObject(element, change, layer));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(change(value)).map(([name, member]) => [name, inEveryObject(member, change, layer)]));
}

function inJsonOf(text: string, change: (value: JsonObject) => JsonObject, layer: number): string {
  const inside = jsonIn(text);
  if (inside !== undefined) {
    const changed = JSON.stringify(inEveryObject(inside, change, layer));
    return changed === JSON.stringify(inside) ? text : changed;
  }
  if (!/\n\s*[[{]|^\s*[[{].*\n/.test(text)) return text;
  return text
    .split("\n")
    .map((line) => (jsonIn(line) === undefined ? line : inJsonOf(line, change, layer)))
    .join("\n");
}
