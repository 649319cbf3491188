import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** The argument by which a model sends a call to the background. */
export const backgroundArgument = "runInBackground";

/** Adds the background argument to a tool's schema. */
export function withBackground(inputSchema: JsonObject): JsonObject {
  const properties = isJsonObject(inputSchema.properties) ? inputSchema.properties : {};
  const shown = { type: "boolean", description: "Answer at once; the result comes with a later turn" };
  return { ...inputSchema, properties: { ...properties, [backgroundArgument]: shown } };
}

/** Removes the background argument: the tool never sees it, and the guard decides on the same arguments either way. */
export function takeBackground(args: JsonObject): { args: JsonObject; inBackground: boolean } {
  const { [backgroundArgument]: asked, ...rest } = args;
  return { args: rest, inBackground: asked === true || asked === "true" };
}
