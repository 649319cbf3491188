import { expect, test } from "vitest";
import { checkToolSchemas, findSchemaFault } from "./check-tool-schemas";

test.each([
  [null, "schema is empty"],
  [{}, "schema is empty"],
  ["", "schema is empty"],
  ["{", "invalid JSON:"],
  [{ properties: {} }, 'missing "type"'],
  [{ type: "array" }, '"type" must be "object", got "array"'],
  [{ type: "object", properties: [] }, '"properties" must be an object'],
  [{ type: "object", required: "path" }, '"required" must be an array'],
])("the schema %j is refused with its fault", (schema, fault) => {
  expect(findSchemaFault(schema)).toContain(fault);
});

test("a schema of an object passes, as text too", () => {
  expect(findSchemaFault({ type: "object", properties: { path: { type: "string" } }, required: ["path"] })).toBeNull();
  expect(findSchemaFault('{"type":"object"}')).toBeNull();
});

test("no registry fails, an empty one warns, and a broken schema names its tool", () => {
  expect(checkToolSchemas(null)).toMatchObject({ status: "failed", sentence: "no tool registry configured" });
  expect(checkToolSchemas([])).toMatchObject({ status: "warning", sentence: "no tools registered" });
  const good = { name: "a", inputSchema: { type: "object" } };
  expect(checkToolSchemas([good])).toMatchObject({ status: "ok", sentence: "1 tools registered (a)" });
  expect(checkToolSchemas([good, { name: "b", inputSchema: {} }])).toMatchObject({
    status: "failed",
    sentence: "1 of 2 tools have invalid schemas (b: schema is empty)",
  });
});
