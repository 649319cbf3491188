import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** Members of a platform's JSON, whatever it sends. */
export const objectIn = (value: Json | undefined, name?: string): JsonObject => {
  const found = name === undefined ? value : isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : {};
};
export const listIn = (value: Json | undefined, name: string): Json[] => {
  const found = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
};
/** A text, or a number as its digits; empty for anything else. */
export const textIn = (value: Json | undefined, name: string): string => {
  const found = isJsonObject(value) ? value[name] : undefined;
  return typeof found === "string" ? found : typeof found === "number" ? String(found) : "";
};
export const numberIn = (value: Json | undefined, name: string): number | null => {
  const found = isJsonObject(value) ? value[name] : undefined;
  return typeof found === "number" ? found : null;
};
