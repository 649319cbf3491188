import type { Json } from "@/contracts/common";
import type { Tool } from "@/contracts/tools";

const emptyValues: Record<string, Json> = { string: "", number: 0, integer: 0, boolean: false, array: [], object: {} };

/** The arguments that a tool cannot do without, empty, to be filled in. JSON text. */
export function exampleArguments({ inputSchema, primaryArgument }: Pick<Tool, "inputSchema" | "primaryArgument">): string {
  const { properties, required } = inputSchema;
  const named = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const names = named.length > 0 ? named : primaryArgument ? [primaryArgument] : [];
  const example = names.map((name) => [name, emptyValue(isObject(properties) ? properties[name] : undefined)]);
  return JSON.stringify(Object.fromEntries(example), null, 2);
}

function emptyValue(schema: Json | undefined): Json {
  const type = isObject(schema) ? schema.type : undefined;
  return typeof type === "string" ? (emptyValues[type] ?? "") : "";
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
