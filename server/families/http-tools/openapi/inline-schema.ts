import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { type OpenApiDocument, resolvePointer } from "./read-document";

const maxDepth = 24;
const kept = new Set(
  "type description title format enum const default minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties required".split(
    " ",
  ),
);
const ofSchemas = new Set(["properties", "patternProperties"]);
const ofSchema = new Set(["items", "additionalProperties", "not", "contains", "propertyNames"]);
const ofLists = new Set(["oneOf", "anyOf", "allOf", "prefixItems"]);
const maxTextCharacters = 1_000;

/** Work that is left for a document: references multiply schemas, so the copies are counted. */
export type Budget = { nodes: number };

/**
 * Copies a schema of an OpenAPI document as JSON Schema, with the references inside the document resolved. A reference
 * that leads outside, in a circle or too deep accepts anything, with a note.
 */
export function inlineSchema(document: OpenApiDocument, schema: Json | undefined, budget: Budget, notes: Set<string>): JsonObject {
  return copy(schema, []);

  function copy(value: Json | undefined, path: readonly string[]): JsonObject {
    budget.nodes -= 1;
    if (budget.nodes < 0 || path.length > maxDepth) {
      notes.add("A schema is too large or too deep: parts of it accept anything.");
      return {};
    }
    if (!isJsonObject(value)) return {};
    if (typeof value.$ref === "string") return referenced(value.$ref, value, path);
    const copied: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      if (kept.has(name)) copied[name] = typeof member === "string" && name !== "pattern" ? member.slice(0, maxTextCharacters) : member;
      else if (ofSchemas.has(name) && isJsonObject(member)) {
        copied[name] = Object.fromEntries(
          Object.entries(member)
            .filter(([, inner]) => !(isJsonObject(inner) && inner.readOnly === true))
            .map(([inner, schema]) => [inner, copy(schema, [...path, name])]),
        );
      } else if (ofSchema.has(name)) copied[name] = typeof member === "boolean" ? member : copy(member, [...path, name]);
      else if (ofLists.has(name) && Array.isArray(member)) copied[name] = member.map((inner) => copy(inner, [...path, name]));
    }
    withoutReadOnly(copied, value);
    return document.is30 ? from30(copied, value) : copied;
  }

  function referenced(reference: string, { description }: JsonObject, path: readonly string[]): JsonObject {
    if (!reference.startsWith("#/")) {
      notes.add(`${reference.slice(0, 100)} lies outside the document, so it accepts anything.`);
      return {};
    }
    if (path.includes(reference)) {
      notes.add(`${reference.slice(0, 100)} contains itself, so its inner levels accept anything.`);
      return {};
    }
    const target = copy(resolvePointer(document.root, reference), [...path, reference]);
    return typeof description === "string" ? { ...target, description: description.slice(0, maxTextCharacters) } : target;
  }
}

/** A member that only answers have cannot be required of a request. */
function withoutReadOnly(copied: JsonObject, { properties }: JsonObject): void {
  if (!Array.isArray(copied.required) || !isJsonObject(properties)) return;
  copied.required = copied.required.filter((name) => {
    const property = typeof name === "string" && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !(isJsonObject(property) && property.readOnly === true);
  });
  if (copied.required.length === 0) delete copied.required;
}

/** Rewrites what OpenAPI 3.0 spells otherwise than JSON Schema. */
function from30(copied: JsonObject, original: JsonObject): JsonObject {
  for (const [flag, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof copied[flag] !== "boolean") continue;
    const bound = copied[limit];
    if (copied[flag] === true && bound !== undefined) {
      copied[flag] = bound;
      delete copied[limit];
    } else delete copied[flag];
  }
  if (original.nullable === true && typeof copied.type === "string") {
    copied.type = [copied.type, "null"];
    if (Array.isArray(copied.enum) && !copied.enum.includes(null)) copied.enum = [...copied.enum, null];
  }
  return copied;
}
