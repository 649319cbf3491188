import type { JsonSchema } from "./json-schema";

const samples: Record<string, unknown> = {
  uuid: "0192f0c1-7a5e-7c3d-9b1f-2e4a6c8d0f12",
  "date-time": "2030-01-31T12:00:00Z",
  email: "ann@example.com",
  uri: "https://example.com",
};

/** Returns a value that a schema accepts: its own example, else the smallest valid value. */
export function buildSample(schema: JsonSchema, named: Record<string, JsonSchema>): unknown {
  if (schema.examples?.length) return schema.examples[0];
  if (schema.$ref) return buildSample(named[schema.$ref.replace("#/components/schemas/", "")] ?? {}, named);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return buildSample(first, named);
  if (schema.type === "array") return schema.minItems ? [buildSample(schema.items ?? {}, named)] : [];
  if (schema.type === "object") {
    const wanted = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(wanted.map(([name, member]) => [name, buildSample(member, named)]));
  }
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  return samples[schema.format ?? ""] ?? "text";
}
