import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/**
 * Fills in missing required parameters that have a default, at every depth. Generated schemas often require a parameter
 * with a default, and their servers fill in the default themselves.
 */
export function withRequiredDefaults(schema: unknown, args: JsonObject): JsonObject {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return args;
  const { properties } = schema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const filled: [string, Json][] = required.flatMap((name): [string, Json][] => {
    if (typeof name !== "string" || Object.hasOwn(args, name) || !Object.hasOwn(properties, name)) return [];
    const property = properties[name];
    return isJsonObject(property) && property.default !== undefined ? [[name, structuredClone(property.default)]] : [];
  });
  const kept = Object.entries(args).map(([name, value]): [string, Json] => [
    name,
    Object.hasOwn(properties, name) ? withDefaultsInside(properties[name], value) : value,
  ]);
  return Object.fromEntries([...kept, ...filled]);
}

function withDefaultsInside(schema: unknown, value: Json): Json {
  if (isJsonObject(value)) return withRequiredDefaults(schema, value);
  if (!Array.isArray(value) || !isJsonObject(schema) || !isJsonObject(schema.items)) return value;
  const { items } = schema;
  return value.map((item) => withDefaultsInside(items, item));
}
