import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { removeHiddenCharacters } from "@/server/tools/definitions/hidden-characters";
import { storable } from "../text/clean-text";

const maxBytes = 262_144;
export const maxSchemaDepth = 64;
const maxDialectCharacters = 200;
const emptySchema: JsonObject = { type: "object", properties: {} };

/** A schema fit for storage, models and checks; `fault` says why the server's own schema was replaced by an empty one. */
export type CompletedSchema = { schema: JsonObject; dialect: string | null; fault: string | null };

/**
 * Completes a listed `inputSchema`: adds missing `type` and `properties`, and takes out `$schema` as the dialect, because
 * `$schema` would cost tokens in every listing.
 */
export function completeSchema(listed: unknown): CompletedSchema {
  if (listed === undefined || listed === null) return { schema: emptySchema, dialect: null, fault: null };
  if (!isJsonObject(listed)) return { schema: emptySchema, dialect: null, fault: "Its input schema is not an object." };
  if (isDeeperThan(listed, maxSchemaDepth))
    return { schema: emptySchema, dialect: null, fault: `Its input schema is nested more than ${maxSchemaDepth} levels deep.` };
  const text = JSON.stringify(listed);
  if (text.length > maxBytes)
    return { schema: emptySchema, dialect: null, fault: `Its input schema is larger than ${maxBytes / 1_024} KiB.` };

  const stored = storableJson(listed);
  const { $schema, type = "object", properties, ...rest } = isJsonObject(stored) ? stored : emptySchema;
  const types = Array.isArray(type) ? type : [type];
  if (!types.includes("object"))
    return { schema: emptySchema, dialect: null, fault: `Its input schema describes ${JSON.stringify(type)}, not an object.` };
  const dialect = typeof $schema === "string" && $schema.length <= maxDialectCharacters ? $schema : null;
  return { schema: { type: "object", properties: isJsonObject(properties) ? properties : {}, ...rest }, dialect, fault: null };
}

/** Returns a listed `outputSchema` fit for storage and for MCP clients; null for one that cannot be kept. */
export function completeOutputSchema(listed: unknown): JsonObject | null {
  if (!isJsonObject(listed) || isDeeperThan(listed, maxSchemaDepth) || JSON.stringify(listed).length > maxBytes) return null;
  const stored = storableJson(listed);
  return isJsonObject(stored) && Object.keys(stored).length > 0 ? stored : null;
}

export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** Copies a JSON value, removes hidden characters from every text and key, and makes them storable. */
export function storableJson(value: unknown): unknown {
  if (typeof value === "string") return cleaned(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleaned(key), storableJson(member)]));
}

/** A model would read characters that no person sees; legitimate joiners of scripts stay. */
const cleaned = (text: string): string => removeHiddenCharacters(storable(text));

/** Parameter names that usually hold the primary argument, in order of preference. */
const tellingNames = ["command", "path", "query", "url", "uri"];

/**
 * Finds the primary argument, which a guard rule's pattern matches when the rule names no parameter: a text parameter with
 * a telling name, else the only required text parameter.
 */
export function findPrimaryArgument(schema: JsonObject): string | null {
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
