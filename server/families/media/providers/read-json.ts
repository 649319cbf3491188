import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { GivenImage } from "./provider";

/** Reads members of an answer without trusting its form; missing members are null. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | null {
  let found: Json | undefined = value;
  for (const step of path) {
    if (typeof step === "number") found = Array.isArray(found) ? found[step] : undefined;
    else found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found ?? null;
}

export function textAt(value: Json | undefined, ...path: readonly (string | number)[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : null;
}

export function numberAt(value: Json | undefined, ...path: readonly (string | number)[]): number | null {
  const found = at(value, ...path);
  return typeof found === "number" ? found : null;
}

export function listAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

export const dataUri = ({ bytes, mediaType }: GivenImage): string => `data:${mediaType};base64,${base64(bytes)}`;

/** Leaves out members that are null, because providers refuse them. */
export const present = (members: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== null));

/** `16:9` as a number; null when it is no ratio. */
export function ratioOf(aspectRatio: string | null): number | null {
  const [width, height] = (aspectRatio ?? "").split(":").map(Number);
  return width && height ? width / height : null;
}
