import { expect, test } from "vitest";
import { completeOutputSchema, completeSchema, findPrimaryArgument } from "./input-schema";

test.each([
  ["no schema", undefined, { type: "object", properties: {} }],
  ["an empty one", {}, { type: "object", properties: {} }],
  [
    "one without properties",
    { type: "object", additionalProperties: false },
    { type: "object", properties: {}, additionalProperties: false },
  ],
  ["one that says its dialect", { $schema: "http://json-schema.org/draft-07/schema#", type: "object" }, { type: "object", properties: {} }],
  ["one that also allows null", { type: ["object", "null"] }, { type: "object", properties: {} }],
])("%s becomes one that a model can be given", (_title, listed, schema) => {
  expect(completeSchema(listed)).toMatchObject({ schema, fault: null });
});

const deep = JSON.parse(`${'{"properties":'.repeat(100)}{}${"}".repeat(100)}`);
test.each([
  ["a text", "string", "Its input schema is not an object."],
  ["a list", [], "Its input schema is not an object."],
  ["one for a text", { type: "string" }, 'Its input schema describes "string", not an object.'],
  ["one that is too large", { description: "x".repeat(300_000) }, "Its input schema is larger than 256 KiB."],
  ["one that is too deep", deep, "Its input schema is nested more than 64 levels deep."],
])("%s instead of a schema gives the reason", (_title, listed, fault) => {
  expect(completeSchema(listed)).toEqual({ schema: { type: "object", properties: {} }, dialect: null, fault });
});

test("a schema is stored without what Postgres cannot hold", () => {
  expect(completeSchema({ properties: { "a\u0000": { description: "b\ud800" } } }).schema).toEqual({
    type: "object",
    properties: { "a\ufffd": { description: "b\ufffd" } },
  });
});

const text = { type: "string" };
test.each([
  ["a command before anything else", { properties: { note: text, path: text, command: text }, required: ["note"] }, "command"],
  ["the only required text", { properties: { message: text, count: { type: "number" } }, required: ["message", "count"] }, "message"],
  ["nothing when two texts are required", { properties: { from: text, to: text }, required: ["from", "to"] }, null],
  ["nothing when there is nothing", {}, null],
  ["nothing that only looks like a text", { properties: { path: { type: "array" } } }, null],
])("the argument that a rule sees is %s", (_title, schema, expected) => {
  expect(findPrimaryArgument(schema)).toBe(expected);
});

test("a dialect is kept beside the schema, and an output schema as it is when it can be stored", () => {
  const dialect = "https://json-schema.org/draft/2020-12/schema";
  expect(completeSchema({ $schema: dialect, type: "object" })).toMatchObject({ dialect, schema: { type: "object", properties: {} } });
  expect(completeSchema({ $schema: "x".repeat(500) }).dialect).toBeNull();
  expect(completeOutputSchema({ $schema: dialect, type: "array" })).toEqual({ $schema: dialect, type: "array" });
  for (const unusable of [undefined, "text", {}, deep]) expect(completeOutputSchema(unusable)).toBeNull();
});
