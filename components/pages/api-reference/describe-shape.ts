import type { JsonSchema } from "./json-schema";
import type { Field, Shape } from "./reference";

const formats: Record<string, string> = { uuid: "id (UUID)", "date-time": "time (RFC 3339)", email: "email address", uri: "URL" };
const words: Record<string, string> = { string: "text", number: "number", integer: "whole number", boolean: "true or false", null: "null" };

/** Describes a schema in words. Named schemas become references, so that a recursive schema ends. */
export function describeShape(schema: JsonSchema): Shape {
  if (schema.$ref) {
    const name = schema.$ref.replace("#/components/schemas/", "");
    return shape(schema, { kind: "", refers: { id: schemaAnchor(name), name } });
  }
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return shapeOfSeveral(schema, several);
  if (schema.const !== undefined) return shape(schema, { kind: "always", values: [String(schema.const)] });
  if (schema.enum) return shape(schema, { kind: "one of", values: schema.enum.map(String) });
  if (schema.type === "array") return shapeOfList(schema);
  if (schema.properties) return shape(schema, { kind: "object", fields: listFields(schema) });
  if (schema.type === "object") return shapeOfMap(schema);
  const kind = formats[schema.format ?? ""] ?? words[String(schema.type)] ?? "any JSON value";
  return shape(schema, { kind });
}

/** Anchor of a named schema on the page. */
export const schemaAnchor = (name: string) => `schema-${name}`;

export function listFields({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: "body",
    required: required.includes(name),
    shape: describeShape(schema),
  }));
}

function shapeOfSeveral(schema: JsonSchema, several: JsonSchema[]): Shape {
  const others = several.filter(({ type }) => type !== "null");
  const [only] = others;
  if (others.length === 1 && only) {
    const inner = describeShape(only);
    const described = shape(schema, inner);
    return {
      ...inner,
      description: described.description || inner.description,
      limits: [...inner.limits, "or null", ...defaultOf(schema)],
    };
  }
  const limits = others.length < several.length ? ["or null"] : [];
  return { ...shape(schema, { kind: "one of these", options: others.map(describeShape) }), limits: [...limits, ...defaultOf(schema)] };
}

function shapeOfList(schema: JsonSchema): Shape {
  const inner = describeShape(schema.items ?? {});
  return shape(schema, {
    kind: inner.kind ? `list of: ${inner.kind}` : "list of",
    refers: inner.refers,
    values: inner.values,
    fields: inner.fields,
    options: inner.options,
  });
}

function shapeOfMap(schema: JsonSchema): Shape {
  const inner = typeof schema.additionalProperties === "object" ? describeShape(schema.additionalProperties) : null;
  if (!inner || inner.refers?.name === "Json") return shape(schema, { kind: "JSON object" });
  return shape(schema, {
    kind: inner.kind ? `map of names to: ${inner.kind}` : "map of names to",
    refers: inner.refers,
    fields: inner.fields,
  });
}

function shape(schema: JsonSchema, given: Partial<Shape>): Shape {
  return {
    kind: "",
    refers: null,
    values: [],
    fields: [],
    options: [],
    ...given,
    description: schema.description ?? given.description ?? "",
    limits: [...limitsOf(schema), ...defaultOf(schema)],
  };
}

function limitsOf({ minLength, maxLength, minimum, maximum, minItems, maxItems, pattern }: JsonSchema): string[] {
  return [
    range(minLength, maxLength, "characters"),
    range(minItems, maxItems, "items"),
    // JavaScript's largest exact integer is a limit of the language, so only smaller maxima are shown.
    range(minimum, maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined, ""),
    pattern ? `matches ${pattern}` : "",
  ].filter(Boolean);
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const low = least !== undefined && least > -Number.MAX_SAFE_INTEGER && !(unit && least === 0) ? least.toLocaleString("en") : null;
  const high = most?.toLocaleString("en") ?? null;
  if (low && high) return `${low} to ${high} ${unit}`.trim();
  if (low) return `at least ${low} ${unit}`.trim();
  return high ? `at most ${high} ${unit}`.trim() : "";
}

function defaultOf(schema: JsonSchema): string[] {
  return schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`];
}
