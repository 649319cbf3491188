import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { valueAt } from "@/contracts/lib/json-pointer";

/** One parameter of a tool in words. */
export type SchemaField = {
  name: string;
  /** "text", "whole number", "list of text", "one of: a, b". */
  type: string;
  required: boolean;
  description: string;
  /** "at least 1", "default: 500". */
  limits: string[];
  fields: SchemaField[];
};

const deepest = 6;

/** Returns the parameters in a JSON Schema of an object. The raw schema shows keywords that are not handled here. */
export function schemaFields(schema: JsonObject): SchemaField[] {
  return fieldsOf(schema, schema, 0);
}

function fieldsOf(schema: JsonObject, root: JsonObject, depth: number): SchemaField[] {
  const { properties } = schema;
  if (!isJsonObject(properties) || depth >= deepest) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, value]) => {
    const field = resolveReference(value, root);
    const inner = isJsonObject(field.items) ? resolveReference(field.items, root) : field;
    return {
      name,
      type: typeOf(field, root, depth),
      required: required.includes(name),
      description: typeof field.description === "string" ? field.description : "",
      limits: describeLimits(field, required.includes(name)),
      fields: fieldsOf(inner, root, depth + 1),
    };
  });
}

/** Resolves references inside the same schema; any other reference stays unresolved. */
export function resolveReference(value: Json | undefined, root: JsonObject): JsonObject {
  let found: Json | undefined = value;
  for (let hops = 0; hops < deepest && isJsonObject(found) && typeof found.$ref === "string" && found.$ref.startsWith("#/"); hops += 1) {
    const { $ref, ...beside } = found;
    const target = valueAt(root, String($ref).slice(1));
    found = isJsonObject(target) ? { ...target, ...beside } : undefined;
  }
  return isJsonObject(found) ? found : {};
}

const plainNames: Record<string, string> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "yes or no",
  object: "object",
  null: "nothing",
};

function typeOf(field: JsonObject, root: JsonObject, depth: number): string {
  if (Array.isArray(field.enum)) return `one of: ${field.enum.map(plain).join(", ")}`;
  if ("const" in field) return `always ${plain(field.const)}`;
  const options = [field.anyOf, field.oneOf].find(Array.isArray);
  if (options && depth < deepest)
    return unique(options.map((option) => typeOf(resolveReference(option, root), root, depth + 1))).join(" or ");
  if (Array.isArray(field.type)) return unique(field.type.map((type) => plainNames[String(type)] ?? String(type))).join(" or ");
  if (field.type === "array") {
    return isJsonObject(field.items) && depth < deepest
      ? `list of ${typeOf(resolveReference(field.items, root), root, depth + 1)}`
      : "list";
  }
  return plainNames[String(field.type)] ?? "anything";
}

/** Keyword, its words, and the words by which a description says the same. */
const limitWords: readonly (readonly [keyword: string, words: (value: string) => string, said: readonly string[]])[] = [
  ["default", (value) => `default: ${value}`, ["default"]],
  ["minimum", (value) => `at least ${value}`, ["at least", "min", "from", "between"]],
  ["exclusiveMinimum", (value) => `more than ${value}`, ["more than", "above"]],
  ["maximum", (value) => `at most ${value}`, ["at most", "max", "up to", " to ", "and"]],
  ["exclusiveMaximum", (value) => `less than ${value}`, ["less than", "below", "under"]],
  ["minLength", (value) => `at least ${counted(value, "character", "characters")}`, ["at least", "min"]],
  ["maxLength", (value) => `at most ${counted(value, "character", "characters")}`, ["at most", "max", "up to"]],
  ["minItems", (value) => `at least ${counted(value, "entry", "entries")}`, ["at least", "min"]],
  ["maxItems", (value) => `at most ${counted(value, "entry", "entries")}`, ["at most", "max", "up to"]],
  ["pattern", (value) => `fits ${value}`, []],
  ["format", (value) => `format: ${value}`, []],
];
/** Bounds that generators write for "any whole number". */
const meaningless = new Set([String(Number.MAX_SAFE_INTEGER), String(Number.MIN_SAFE_INTEGER)]);

/** Returns the default, range and length of a parameter in words, without what its description says or "required" implies. */
export function describeLimits(field: JsonObject, isRequired = false): string[] {
  const description = typeof field.description === "string" ? field.description.toLowerCase() : "";
  return limitWords.flatMap(([keyword, words, said]) => {
    const value = field[keyword];
    if (value === undefined || meaningless.has(String(value))) return [];
    if (isRequired && keyword === "minLength" && value === 1) return [];
    return isSaid(description, said, plain(value)) ? [] : [words(plain(value))];
  });
}

/** Characters between a word such as "at most" and its number in a description. */
const sayingDistance = 12;

function isSaid(description: string, said: readonly string[], value: string): boolean {
  return said.some((word) => {
    const place = description.indexOf(word);
    if (place < 0) return false;
    const after = description.slice(place + word.length, place + word.length + sayingDistance + value.length).replaceAll(",", "");
    return after.split(/[^\p{L}\p{N}._-]+/u).some((part) => part.replace(/\.$/, "") === value.toLowerCase());
  });
}

const plain = (value: Json | undefined): string => (typeof value === "string" ? value || '""' : JSON.stringify(value ?? null));
const counted = (value: string, one: string, many: string): string => `${value} ${value === "1" ? one : many}`;
const unique = (words: string[]): string[] => [...new Set(words)];
