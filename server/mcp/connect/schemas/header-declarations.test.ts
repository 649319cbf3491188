import { expect, test } from "vitest";
import { headerFault } from "./header-declarations";

const schemaOf = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });
const declared = (name: unknown, type = "string") => ({ type, "x-mcp-header": name });

test.each<[string, unknown]>([
  ["no declaration", schemaOf({ a: { type: "string" } })],
  ["a text", schemaOf({ a: declared("Region") })],
  ["an integer and a boolean", schemaOf({ a: declared("Count", "integer"), b: declared("Dry-Run", "boolean") })],
  ["a property deeper down", schemaOf({ a: schemaOf({ b: declared("Region") }) })],
  ["a parameter of that name", schemaOf({ "x-mcp-header": { type: "string" } })],
  ["no schema", undefined],
])("%s is legal", (_title, schema) => {
  expect(headerFault(schema)).toBeNull();
});

test.each<[string, unknown, string]>([
  ["a name with a space", schemaOf({ a: declared("My Region") }), "a header's name is not one"],
  ["a name with a line end", schemaOf({ a: declared("A\r\nB") }), "a header's name is not one"],
  ["an empty name", schemaOf({ a: declared("") }), "a header's name is not one"],
  ["a number", schemaOf({ a: declared("A", "number") }), "no text, integer or boolean"],
  ["an object", schemaOf({ a: { ...schemaOf({}), "x-mcp-header": "A" } }), "no text, integer or boolean"],
  ["one name twice in other letters", schemaOf({ a: declared("Region"), b: declared("region") }), "declared twice"],
  ["the schema itself", schemaOf({}, { "x-mcp-header": "A" }), "where it may not be"],
  ["items of a list", schemaOf({ a: { type: "array", items: declared("A") } }), "where it may not be"],
  ["one of several shapes", schemaOf({}, { oneOf: [schemaOf({ a: declared("A") })] }), "where it may not be"],
  ["a definition", schemaOf({}, { $defs: { a: declared("A") } }), "where it may not be"],
])("%s is not", (_title, schema, fault) => {
  expect(headerFault(schema)).toContain(fault);
});
