import { isJsonObject } from "@/contracts/lib/is-json-object";

const keyword = "x-mcp-header";
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerTypes = new Set<unknown>(["string", "integer", "boolean"]);
/** Keywords that map names to schemas. */
const namedSchemas = new Set(["patternProperties", "dependentSchemas", "$defs", "definitions"]);
const otherSchemas = new Set([
  ...namedSchemas,
  "items",
  "prefixItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "propertyNames",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
]);

/**
 * Returns how an input schema's `x-mcp-header` declarations break MCP's rules; null when all are legal or none exist.
 * Clients over HTTP must not offer a tool with a fault, because its headers could contradict its arguments.
 */
export function headerFault(inputSchema: unknown): string | null {
  const taken = new Set<string>();
  /** `isProperty`: the path to the schema has only `properties`, the one place where a declaration is legal. */
  const visit = (schema: unknown, isProperty: boolean, isRoot: boolean): string | null => {
    if (!isJsonObject(schema)) return null;
    if (Object.hasOwn(schema, keyword)) {
      const name = schema[keyword];
      if (!isProperty || isRoot) return "a header is declared where it may not be";
      if (typeof name !== "string" || !token.test(name)) return "a header's name is not one";
      if (!headerTypes.has(schema.type)) return "a header is declared for a value that is no text, integer or boolean";
      if (taken.has(name.toLowerCase())) return "a header is declared twice";
      taken.add(name.toLowerCase());
    }
    for (const [key, member] of Object.entries(schema)) {
      const isNamed = key === "properties" || namedSchemas.has(key);
      if (!isNamed && !otherSchemas.has(key)) continue;
      const inner = Array.isArray(member) ? member : isNamed && isJsonObject(member) ? Object.values(member) : [member];
      for (const child of inner) {
        const fault = visit(child, isProperty && key === "properties", false);
        if (fault) return fault;
      }
    }
    return null;
  };
  return visit(inputSchema, true, true);
}
