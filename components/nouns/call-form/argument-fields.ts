import { describeLimits, resolveReference } from "@/components/nouns/tools/schema-fields";
import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** The form control for a value of a JSON Schema. */
export type ArgumentShape =
  | { kind: "text"; isLong: boolean }
  | { kind: "number"; isWhole: boolean }
  /** A selection: an enum, a constant, true or false. */
  | { kind: "choice"; options: Json[] }
  | { kind: "list"; item: ArgumentShape }
  | { kind: "group"; fields: ArgumentField[] }
  /** No control: the value is written as JSON. */
  | { kind: "json" };

/** One parameter of a tool as a form field. */
export type ArgumentField = { name: string; shape: ArgumentShape; isRequired: boolean; description: string; limits: string[] };

/** Depth of nested groups; deeper groups are written as JSON. */
const deepest = 3;
const longTexts = new Set(["body", "code", "content", "contents", "newtext", "oldtext", "new_text", "old_text", "patch", "text"]);

/**
 * The fields of a form for a tool's input schema: required ones first, in the order of `required`, because the database
 * does not keep the order of properties.
 */
export function argumentFields(schema: JsonObject): ArgumentField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const place = ({ name, isRequired }: ArgumentField) => (isRequired ? required.indexOf(name) : required.length);
  return fieldsOf(schema, schema, 0).toSorted((a, b) => place(a) - place(b));
}

/** Returns fields for arguments that the schema does not name, so that every sent argument is visible. */
export function unknownFields(fields: readonly ArgumentField[], args: JsonObject): ArgumentField[] {
  const known = new Set(fields.map(({ name }) => name));
  return Object.keys(args)
    .filter((name) => !known.has(name))
    .map((name) => ({ name, shape: { kind: "json" }, isRequired: false, description: "Not in the tool's schema", limits: [] }));
}

/** Returns the names of absent required arguments. */
export function missingArguments(fields: readonly ArgumentField[], args: JsonObject): string[] {
  return fields.filter(({ name, isRequired }) => isRequired && !Object.hasOwn(args, name)).map(({ name }) => name);
}

/** Returns initial arguments: required ones with a default or an empty value, or else an empty primary argument. */
export function startingArguments({
  inputSchema,
  primaryArgument,
}: {
  inputSchema: JsonObject;
  primaryArgument: string | null;
}): JsonObject {
  const { properties } = inputSchema;
  const required = argumentFields(inputSchema).filter(({ isRequired }) => isRequired);
  if (required.length === 0 && primaryArgument !== null) return { [primaryArgument]: "" };
  const values = required.map(({ name, shape }) => {
    const field = isJsonObject(properties) ? resolveReference(properties[name], inputSchema) : {};
    return [name, field.default ?? emptyValue(shape)] as const;
  });
  return Object.fromEntries(values.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
}

/** Returns the value of a new field; undefined when the type has no empty value, like a number. */
export function emptyValue(shape: ArgumentShape): Json | undefined {
  switch (shape.kind) {
    case "text":
      return "";
    case "list":
      return [];
    case "group": {
      const values = shape.fields
        .filter(({ isRequired }) => isRequired)
        .map(({ name, shape: inner }) => [name, emptyValue(inner)] as const);
      return Object.fromEntries(values.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
    }
    case "choice":
      return shape.options.length === 1 ? shape.options[0] : undefined;
    default:
      return undefined;
  }
}

function fieldsOf(schema: JsonObject, root: JsonObject, depth: number): ArgumentField[] {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(properties).map(([name, value]) => {
    const field = resolveReference(value, root);
    return {
      name,
      shape: shapeOf(name, field, root, depth),
      isRequired: required.has(name),
      description: typeof field.description === "string" ? field.description : "",
      limits: describeLimits(field, required.has(name)),
    };
  });
}

function shapeOf(name: string, field: JsonObject, root: JsonObject, depth: number): ArgumentShape {
  if (Array.isArray(field.enum) && field.enum.length > 0) return { kind: "choice", options: field.enum };
  if (field.const !== undefined) return { kind: "choice", options: [field.const] };
  const options = [field.anyOf, field.oneOf].find(Array.isArray);
  if (options) {
    // "a text or null" becomes an optional text; any other combination of types has no control.
    const shapes = options.map((option) => resolveReference(option, root)).filter(({ type }) => type !== "null");
    const [only] = shapes;
    return shapes.length === 1 && only ? shapeOf(name, only, root, depth) : { kind: "json" };
  }
  const types = (Array.isArray(field.type) ? field.type : [field.type]).filter((type) => type !== "null");
  if (types.length !== 1) return { kind: "json" };
  switch (types[0]) {
    case "string":
      return { kind: "text", isLong: longTexts.has(name.toLowerCase()) };
    case "number":
    case "integer":
      return { kind: "number", isWhole: types[0] === "integer" };
    case "boolean":
      return { kind: "choice", options: [true, false] };
    case "array": {
      const item = isJsonObject(field.items) && depth < deepest ? shapeOf("", resolveReference(field.items, root), root, depth + 1) : null;
      return item && item.kind !== "json" ? { kind: "list", item } : { kind: "json" };
    }
    case "object":
      return isJsonObject(field.properties) && depth < deepest
        ? { kind: "group", fields: fieldsOf(field, root, depth + 1) }
        : { kind: "json" };
    default:
      return { kind: "json" };
  }
}
