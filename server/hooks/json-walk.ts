import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";

/** Returns a copy in which a function has replaced every text. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]));
}

/**
 * Applies a change to a value and to the JSON in its `text`, because a result often repeats its members there and a masked
 * field must not stay readable in the text.
 */
export function changeJsonInText(value: JsonObject, change: (value: Json) => Json): JsonObject {
  const result = change(value);
  if (!isJsonObject(result)) return value;
  const inside = typeof result.text === "string" ? parseJsonText(result.text) : undefined;
  if (inside === undefined) return result;
  const changed = JSON.stringify(change(inside));
  return changed === JSON.stringify(inside) ? result : { ...result, text: changed };
}

/** Parses a text that is a JSON object or list; undefined for every other text. */
export function parseJsonText(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return inspectJson(value).depth <= maxArgumentDepth ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Most layers of JSON inside texts of JSON. Deeper nesting does not occur in real data. */
const maxLayers = 4;

/**
 * Changes every object at any depth, also inside texts that are JSON or have lines of JSON: a message to a model, a log and
 * another reply may quote a tool's reply as text.
 * @param change replaces one object; the members of its result are changed afterwards
 */
export function inEveryObject(value: Json, change: (value: JsonObject) => JsonObject, layer = 0): Json {
  if (typeof value === "string") return layer < maxLayers ? changeNestedJson(value, change, layer + 1) : value;
  if (Array.isArray(value)) return value.map((element) => inEveryObject(element, change, layer));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(change(value)).map(([name, member]) => [name, inEveryObject(member, change, layer)]));
}

function changeNestedJson(text: string, change: (value: JsonObject) => JsonObject, layer: number): string {
  const inside = parseJsonText(text);
  if (inside !== undefined) {
    const changed = JSON.stringify(inEveryObject(inside, change, layer));
    return changed === JSON.stringify(inside) ? text : changed;
  }
  if (!/\n\s*[[{]|^\s*[[{].*\n/.test(text)) return text;
  return text
    .split("\n")
    .map((line) => (parseJsonText(line) === undefined ? line : changeNestedJson(line, change, layer)))
    .join("\n");
}
