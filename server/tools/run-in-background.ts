import type { JsonObject } from "@/contracts/common";

const argument = "runInBackground";

/** A tool's schema with the argument by which a model sends a call to the background. */
export function withBackground(inputSchema: JsonObject): JsonObject {
  const properties = isObject(inputSchema.properties) ? inputSchema.properties : {};
  const shown = { type: "boolean", description: "Answer at once; the result comes with a later turn" };
  return { ...inputSchema, properties: { ...properties, [argument]: shown } };
}

/** Takes the argument out: the tool never sees it, and policy decides on the same arguments either way. */
export function takeBackground(args: JsonObject): { args: JsonObject; inBackground: boolean } {
  const { [argument]: asked, ...rest } = args;
  return { args: rest, inBackground: asked === true || asked === "true" };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
