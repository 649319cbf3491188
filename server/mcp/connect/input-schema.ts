import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { storable } from "./clean-text";

const maxBytes = 262_144;
const maxDepth = 64;
const emptySchema: JsonObject = { type: "object", properties: {} };

/** A schema that can be stored, shown to a model and checked against; `fault` says why the server's own could not be taken. */
export type CompletedSchema = { schema: JsonObject; fault: string | null };

/**
 * Makes what a server lists as `inputSchema` complete: `type` and `properties` are filled in where they are missing,
 * and `$schema` goes, because every listing would pay for it in tokens.
 */
export function completeSchema(listed: unknown): CompletedSchema {
  if (listed === undefined || listed === null) return { schema: emptySchema, fault: null };
  if (!isJsonObject(listed)) return { schema: emptySchema, fault: "Its input schema is not an object." };
  if (isDeeperThan(listed, maxDepth))
    return { schema: emptySchema, fault: `Its input schema is nested more than ${maxDepth} levels deep.` };
  const text = JSON.stringify(listed);
  if (text.length > maxBytes) return { schema: emptySchema, fault: `Its input schema is larger than ${maxBytes / 1_024} KiB.` };

  const stored = storableJson(listed);
  const { $schema, type = "object", properties, ...rest } = isJsonObject(stored) ? stored : emptySchema;
  const types = Array.isArray(type) ? type : [type];
  if (!types.includes("object"))
    return { schema: emptySchema, fault: `Its input schema describes ${JSON.stringify(type)}, not an object.` };
  return { schema: { type: "object", properties: isJsonObject(properties) ? properties : {}, ...rest }, fault: null };
}

/** For values that were parsed from JSON: they hold nothing but JSON, so being an object is all there is to check. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** A copy of a JSON value in which every text and every key can be stored. */
export function storableJson(value: unknown): unknown {
  if (typeof value === "string") return storable(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storable(key), storableJson(member)]));
}

/** Names that usually carry what a call is about, in the order of preference. */
const tellingNames = ["command", "path", "query", "url", "uri"];

/**
 * The argument that a guard rule's pattern sees when the rule names none: a parameter with a telling name, else the
 * only required text.
 */
export function primaryArgumentOf(schema: JsonObject): string | null {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const isText = (name: string) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : null;
    return isJsonObject(property) && property.type === "string";
  };
  const telling = tellingNames.find(isText);
  if (telling) return telling;
  const required = z.array(z.string()).catch([]).parse(schema.required).filter(isText);
  return required.length === 1 ? (required[0] ?? null) : null;
}
