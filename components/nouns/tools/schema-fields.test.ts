import { expect, test } from "vitest";
import { describeLimits, schemaFields } from "./schema-fields";

test("a schema reads as a list of parameters with their limits", () => {
  const fields = schemaFields({
    type: "object",
    required: ["path"],
    properties: {
      path: { type: "string", minLength: 1, description: "Path relative to the workspace" },
      lineCount: { type: "integer", minimum: 1, maximum: 2_000, default: 500 },
      mode: { enum: ["text", "bytes"] },
      tags: { type: "array", items: { type: "string" }, maxItems: 3 },
      at: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
    },
  });
  expect(fields.map(({ name, type, required, limits }) => [name, type, required, limits])).toEqual([
    ["path", "text", true, []],
    ["lineCount", "whole number", false, ["default: 500", "at least 1", "at most 2000"]],
    ["mode", "one of: text, bytes", false, []],
    ["tags", "list of text", false, ["at most 3 entries"]],
    ["at", "text or nothing", false, []],
  ]);
  expect(fields[0]?.description).toBe("Path relative to the workspace");
});

test("objects inside lists and references show their own parameters", () => {
  const [edits] = schemaFields({
    type: "object",
    $defs: { Edit: { type: "object", required: ["from"], properties: { from: { type: "string" }, all: { type: "boolean" } } } },
    properties: { edits: { type: "array", items: { $ref: "#/$defs/Edit" } } },
  });
  expect(edits?.type).toBe("list of object");
  expect(edits?.fields.map(({ name, required }) => [name, required])).toEqual([
    ["from", true],
    ["all", false],
  ]);
});

test("a schema that refers to itself, or is not what it should be, still ends", () => {
  const circular = { $ref: "#/$defs/Node" };
  const fields = schemaFields({
    type: "object",
    $defs: { Node: { type: "object", properties: { next: circular } }, Loop: { $ref: "#/$defs/Loop" } },
    properties: { head: circular, loop: { $ref: "#/$defs/Loop" }, odd: true, away: { $ref: "https://example.com/schema" } },
  });
  expect(fields.map(({ name, type }) => [name, type])).toEqual([
    ["head", "object"],
    ["loop", "anything"],
    ["odd", "anything"],
    ["away", "anything"],
  ]);
  expect(schemaFields({ type: "object", properties: [] })).toEqual([]);
});

test("limits that a generator writes for any whole number are left out", () => {
  const [count] = schemaFields({
    type: "object",
    properties: { count: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } },
  });
  expect(count?.limits).toEqual([]);
});

test.each([
  [{ description: "Default 60, at most 300", default: 60, exclusiveMinimum: 0, maximum: 300 }, ["more than 0"]],
  [{ description: "Up to 2,000 characters", maxLength: 2_000 }, []],
  [{ description: "Seconds to wait, default: 5.", default: 5, maximum: 50 }, ["at most 50"]],
  [{ description: "Defaults to the first page", default: 1 }, ["default: 1"]],
  [{ description: "At most 30", maximum: 300 }, ["at most 300"]],
])("what a description says is not said again: %j", (field, limits) => {
  expect(describeLimits(field)).toEqual(limits);
});

test("an optional text says that it must not be empty, a required one need not", () => {
  expect(describeLimits({ minLength: 1 })).toEqual(["at least 1 character"]);
  expect(describeLimits({ minLength: 1 }, true)).toEqual([]);
  expect(describeLimits({ minLength: 2 }, true)).toEqual(["at least 2 characters"]);
});
